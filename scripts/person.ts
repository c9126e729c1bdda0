import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { writeKeptFile } from '../adapters/operations/kept-file.ts';
import { findTraces } from '../adapters/redis/people/working-data.ts';
import { erasePerson, exportPerson, findPerson } from '../core/operations/people.ts';
import { openStore, runChore } from './store/open-store.ts';
import { personHolders } from './store/person-holders.ts';

const USAGE = `npm run person -- export <discord id> [--out <file>] [--name <name>]
npm run person -- delete <discord id> [--yes] [--name <name>]
--name: a further name under which the person was known; may be given several times.`;

/** `npm run person`: hands out or erases everything that is held about one person. */
await runChore(async () => {
	const { values, positionals } = parseArgs({
		options: { out: { type: 'string' }, yes: { type: 'boolean' }, name: { type: 'string', multiple: true } },
		allowPositionals: true,
	});
	const [action, id = '', ...more] = positionals;
	if ((action !== 'export' && action !== 'delete') || !/^\d{17,20}$/.test(id) || more.length > 0) {
		console.error(USAGE);
		return 64;
	}
	const store = await openStore((line) => console.error(line));
	try {
		const holders = personHolders(store.redis, { intake: store.settings.intake, environment: store.environment });
		const known = await findPerson(id, holders);
		const person = { id, names: [...new Set([...known.names, ...(values.name ?? [])])] };
		if (action === 'export') {
			const held = await exportPerson(person, holders);
			const text = `${JSON.stringify({ person, exportedAt: new Date().toISOString(), held }, undefined, 2)}\n`;
			if (values.out === undefined) process.stdout.write(text);
			else await writeKeptFile(values.out, text, 0o600);
			return 0;
		}
		console.error(
			`Everything of ${id}${person.names.length > 0 ? ` (${person.names.join(', ')})` : ''} will be erased for good.`,
		);
		if (!values.yes && !(await confirmed())) return 1;
		let left: string[] = [];
		for (const { holder, count, left: stays } of await erasePerson(person, holders)) {
			console.log(`${holder}: ${count === 1 ? '1 thing' : `${count} things`} erased or made anonymous`);
			left = [...left, ...stays];
		}
		for (const line of left) console.log(`left: ${line}`);
		const traces = await findTraces(store.redis, id);
		for (const key of traces) console.log(`the id is still in ${key}: run this again`);
		console.log('Backups made before still hold it; they go when you throw them away.');
		return traces.length === 0 ? 0 : 1;
	} finally {
		await store.close();
	}
});

async function confirmed(): Promise<boolean> {
	const lines = createInterface({ input: process.stdin, output: process.stderr });
	const answer = await lines.question('Type "erase" to go on: ');
	lines.close();
	return answer.trim() === 'erase';
}
