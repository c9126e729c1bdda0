import { type Hands, quoteOf, type RunEnd, type SessionScript, senderOf, type Task } from './session-script.ts';

const TABLES = [
	{ name: 'orders', old: 312, all: 9_480 },
	{ name: 'invoices', old: 41, all: 9_112 },
	{ name: 'customers', old: 1_204, all: 3_870 },
] as const;

const ALLOWED = /^(?:allow|yes|ok|ja)\b/i;

/** Asks which schema to use, goes on with the answer, and asks once more before it touches data. */
export function createApiFix(): SessionScript {
	let runs = 0;

	async function run(task: Task, hands: Hands): Promise<RunEnd> {
		const { name, old, all } = TABLES[runs % TABLES.length] ?? TABLES[0];
		runs += 1;
		if (task.from !== 'script')
			hands.tell(`I heard ${senderOf(task)}: ${quoteOf(task)}. I keep it in mind for the ${name} endpoint.`);
		await hands.rest(1);
		hands.use(`read src/${name}/schema.ts`);
		await hands.rest(1);
		hands.use(`psql -c "select schema, count(*) from ${name} group by 1"`);
		hands.think(
			`I found the cause: the migration of 14 March stopped half-way, ${old} of ${all} ${name} are still stored in schema v1.`,
		);
		hands.spend(0.02);
		await hands.rest(1);
		const schema = await hands.ask({
			kind: 'choice',
			text: `Which schema should the ${name} endpoint use?`,
			context: `${old} of ${all} ${name} are still in v1. v1 goes without the new fields, v2 means that ${old} rows are rewritten, both is slower and means two shapes.`,
			choices: [
				{ label: 'Keep v1', value: 'v1' },
				{ label: 'Migrate to v2', value: 'v2' },
				{ label: 'Support both', value: 'both' },
			],
			multi: false,
			freeText: true,
		});
		hands.tell(`Understood: ${schema}. I go on with the ${name} endpoint.`);
		await hands.rest(2);
		hands.use(`edit src/${name}/route.ts`);
		hands.spend(0.03);
		await hands.rest(2);
		const leave = await hands.ask({
			kind: 'permission',
			text: `May I run the migration of ${name} on staging?`,
			context: `npm run migrate -- --table ${name} --env staging`,
			choices: [
				{ label: 'Allow', value: 'allow' },
				{ label: 'Deny', value: 'deny' },
			],
			multi: false,
			freeText: false,
		});
		await hands.rest(2);
		hands.spend(0.01);
		if (!ALLOWED.test(leave)) {
			return {
				kind: 'finished',
				text: `The ${name} endpoint is done (${schema}). Nothing was run on staging; scripts/migrate-${name}.ts waits for you.`,
			};
		}
		hands.use(`npm run migrate -- --table ${name} --env staging`);
		await hands.rest(1);
		return {
			kind: 'finished',
			text: `The ${name} endpoint is done (${schema}): ${old} rows migrated on staging, 31 tests pass.`,
		};
	}

	return {
		name: 'api-fix',
		directory: '/home/alex/shop/api',
		model: 'scripted',
		opening: 'Fix the orders endpoint: some orders come back without their new fields.',
		again: { afterSteps: 150, task: 'Look at the next endpoint.' },
		run,
	};
}
