import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStores } from '../../../adapters/redis/stores.ts';
import { overseerStatus } from '../../../core/overseer/status.ts';
import { type NamedHouse, openNamedHouse } from '../../support/named-house.ts';
import { eventually } from '../../support/redis.ts';

let home: NamedHouse;

beforeAll(async () => {
	home = await openNamedHouse(({ overseer }) => {
		overseer.name = 'Grimble';
		overseer.aliases = ['grim'];
		overseer.gate.heartbeatMs = 3_600_000;
		overseer.gate.debounceMs = 100;
		overseer.gate.unsolicitedGapMs = 0;
		overseer.panel.minEditMs = 1_000;
		overseer.chat.showActions = true;
		overseer.chat.honestLineEveryMs = 0;
		overseer.cooldowns.lightMs = 0;
		overseer.cooldowns.memoryMs = 0;
	});
});
afterAll(() => home.stop());

const discord = () => home.house.discord.control;
const COMMANDS: readonly [line: string, options?: Record<string, string>][] = [
	['help'],
	['room state'],
	['overseer status'],
	['overseer panel'],
	['overseer why'],
	['overseer audit'],
	['overseer memory'],
	['overseer vote', { answer: 'no' }],
	['overseer vote', { answer: 'clear' }],
	['overseer stage', { value: 'off' }],
	['overseer stage', { value: 'full' }],
	['overseer runtime', { value: 'commentary' }],
	['overseer runtime', { value: 'overseer' }],
	['admin mode', { value: 'admin' }],
	['admin mode', { value: 'open' }],
	['admin pause', { value: 'on' }],
	['admin pause', { value: 'off' }],
	['overseer clear', { what: 'memory' }],
];

const run = (as: string, command: string, options: Record<string, string> = {}) =>
	discord().command({
		as,
		channel: as === 'alex' ? 'admin' : 'room',
		command,
		options,
		until: 'complete',
		timeoutMs: 10_000,
	});

/** Speaks to it by a name and gives back what it says. */
async function ask(name: string, rest: string): Promise<string> {
	const { id } = await discord().message({ as: 'sam', channel: 'room', text: `${name}, ${rest}` });
	return (await discord().waitMessage({ channel: 'room', after: id, author: 'Majordomo', timeoutMs: 20_000 })).text;
}

/** Everything that left the process since a request: to Discord, to the model, to browsers; and its presence. */
async function outbound(afterSeq: number, firstPrompt: number): Promise<{ where: string; text: string }[]> {
	const rest = (await discord().requests({ after: afterSeq, limit: 10_000 })).filter(({ method }) => method !== 'GET');
	const { bots } = await discord().state({});
	const pages = ['/admin', '/openapi.json', '/readyz', '/login', '/admin/admin.js', '/admin/room.js'];
	return [
		...rest.map(({ route, body, files }) => ({ where: route, text: JSON.stringify([body, files]) })),
		...home.model.control
			.requests()
			.slice(firstPrompt)
			.map(({ body }) => ({ where: 'model', text: JSON.stringify((body as { messages: unknown }).messages) })),
		...(await Promise.all(pages.map(async (path) => ({ where: path, text: await home.page(path) })))),
		{ where: '/admin/events', text: await home.firstEvents('/admin/events', 'event: room\n') },
		{ where: 'presence', text: JSON.stringify(bots) },
	];
}

/** One round through every way in which it shows itself. */
async function showItself(name: string, alias: string): Promise<void> {
	expect(await ask(alias, 'who are you?')).toContain(name);
	await ask(name, 'turn the shelf lamp off');
	await ask(alias, 'turn the shelf lamp on');
	home.model.control.queue({ kind: 'error', status: 503 });
	expect(await ask(name, 'and now?')).toContain('out of reach');
	for (const [line, options] of COMMANDS) await run('alex', line, options);
	await run('sam', 'help');
	await run('sam', 'overseer audit');
	await run('alex', 'overseer runtime', { value: 'commentary' });
	await ask(name, 'how is the driving?');
	await eventually('the commentary panel', async () => (await panel()).includes('commentary only'));
	await run('alex', 'overseer runtime', { value: 'overseer' });
	await eventually('the panel', async () => (await panel()).includes(`${name} in Workshop`));
}

async function panel(): Promise<string> {
	const messages = await discord().messages({ as: 'alex', channel: 'admin', author: 'Majordomo' });
	return messages.find(({ controls, ephemeral }) => controls.length > 0 && !ephemeral)?.allText ?? '';
}

/** Under which names its own lines stand on the bus. */
async function authorsSince(at: number): Promise<Set<string>> {
	const connection = await home.redis.connect();
	const stores = createStores(connection, { statusSchema: overseerStatus, audit: { retainMs: 1, maxRows: 100 } });
	const { messages } = await stores.rooms.read('workshop', { messages: 400, events: 1 });
	await connection.close();
	return new Set(messages.filter((line) => line.bot && line.at >= at).map(({ author }) => author.name));
}

/** The word as command, runtime, role and part of technical names; what is left of it would be a name. */
function withoutTechnicalWords(text: string): string {
	return text
		.replace(/\/overseer\b|`overseer`|'overseer'/g, '')
		.replace(/runtime[^a-z]{1,6}overseer\b/gi, '')
		.replace(/"(?:name|value|label|kind)":\s*"overseer"/g, '')
		.replace(/overseer[_-][a-z]+|"area":"overseer"/g, '');
}

const around = (text: string, pattern: RegExp) => {
	const at = text.search(pattern);
	return text.slice(Math.max(0, at - 60), at + 60);
};

test('OVR-29 whatever it is called: nowhere does it go by the name it has by default', async () => {
	await showItself('Grimble', 'grim');
	const left = await outbound(0, 0);
	expect(new Set(left.map(({ where }) => where)).size).toBeGreaterThan(8);
	for (const { where, text } of left) {
		const rest = withoutTechnicalWords(text);
		expect(rest, `${where}: …${around(rest, /overseer/i)}…`).not.toMatch(/overseer/i);
	}
	const nick = left.find(({ where }) => /members/.test(where));
	expect(nick?.text).toContain('Grimble');
	expect(left.find(({ where }) => where === '/admin')?.text).toContain('Grimble');
}, 90_000);

test('OVR-29 the name changes by reloading the settings: every surface follows without a restart', async () => {
	await home.rewrite(({ overseer }) => {
		overseer.name = 'Mordant';
		overseer.aliases = ['mord'];
	});
	// Upkeep comes every fifteen seconds, and at once when the rules of the site change.
	await run('alex', 'admin mode', { value: 'open' });
	await discord().waitRequest({ method: 'PATCH', contains: 'Mordant', timeoutMs: 30_000 });
	// What was said under the old name stays said; it is put away like any context, and a new decision fills the panel.
	await run('alex', 'overseer clear', { what: 'context' });
	await ask('mord', 'good evening');
	await eventually('the panel has the new name', async () => (await panel()).includes('Mordant in Workshop'));
	const renamedAt = Date.now();
	const seq = (await discord().requests({ limit: 10_000 })).at(-1)?.seq ?? 0;
	const prompts = home.model.control.requests().length;
	await showItself('Mordant', 'mord');
	const left = await outbound(seq, prompts);
	for (const { where, text } of left) expect(text, `${where}: …${around(text, /grim/i)}…`).not.toMatch(/grim/i);
	expect(await authorsSince(renamedAt)).toEqual(new Set(['Mordant']));
	const before = home.model.control.requests().length;
	await discord().message({ as: 'sam', channel: 'room', text: 'grimble, are you there?' });
	await new Promise((resolve) => setTimeout(resolve, 3_000));
	expect(home.model.control.requests()).toHaveLength(before);
}, 90_000);
