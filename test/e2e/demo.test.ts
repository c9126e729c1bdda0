import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../support/redis.ts';

let dir: string;
let demo: ChildProcess | undefined;

beforeAll(async () => {
	dir = await mkdtemp(join(tmpdir(), 'mj-demo-'));
});
afterAll(async () => {
	demo?.kill('SIGKILL');
	await rm(dir, { recursive: true, force: true });
});

/** A first port with three more behind it that nobody uses; near enough to sure on a test machine. */
async function freePort(): Promise<number> {
	return new Promise((resolve, reject) => {
		const server = createServer();
		server.on('error', reject);
		server.listen(0, '127.0.0.1', () => {
			const address = server.address();
			server.close(() => resolve(typeof address === 'object' && address ? Math.min(address.port, 64_000) : 18_700));
		});
	});
}

const answers = (port: number) =>
	fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(1_000) }).then(
		() => true,
		() => false,
	);

test('OPS-1 FLT-5 FLT-13 one command opens a house where a person is answered and a fleet reports; an interrupt leaves nothing running', {
	timeout: 120_000,
}, async () => {
	const port = await freePort();
	const library = process.env.TEST_REDIS_BINARY ? join(process.env.TEST_REDIS_BINARY, '..') : '';
	let said = '';
	demo = spawn(process.execPath, ['--import', 'tsx', 'demo/main.ts'], {
		env: {
			...process.env,
			PATH: `${library}:${process.env.PATH ?? ''}`,
			...(process.env.TEST_REDIS_LIBRARIES ? { LD_LIBRARY_PATH: process.env.TEST_REDIS_LIBRARIES } : {}),
			REDIS_URL: '',
			MAJORDOMO_DATA: dir,
			MAJORDOMO_DEMO_PORT: String(port),
			MAJORDOMO_DEMO_MODEL: 'scripted',
			MAJORDOMO_DEMO_STEP_MS: '400',
		},
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	demo.stdout?.on('data', (data: Buffer) => {
		said += data.toString();
	});
	demo.stderr?.on('data', (data: Buffer) => {
		said += data.toString();
	});
	await eventually('the page is announced', () => said.includes(`Open http://127.0.0.1:${port}`), 60_000);

	const control = async (name: string, body: object) => {
		const response = await fetch(`http://127.0.0.1:${port}/control/${name}`, {
			method: 'POST',
			body: JSON.stringify(body),
		});
		return (await response.json()) as { id: string; text: string; allText: string; state?: string };
	};
	const fleet = (matches: string, after?: string) =>
		control('wait-message', { channel: 'fleet', author: 'Majordomo', matches, after, timeoutMs: 30_000 });
	const shown = async (id: string) => {
		const response = await fetch(`http://127.0.0.1:${port}/control/messages?channel=fleet`);
		return ((await response.json()) as { id: string; allText: string }[]).find((one) => one.id === id)?.allText ?? '';
	};
	await control('wait-bot', { bot: 'Majordomo', online: true });
	const asked = await control('message', { as: 'alex', channel: 'room', text: 'overseer, turn the shelf lamp off' });
	const answer = await control('wait-message', {
		channel: 'room',
		after: asked.id,
		author: 'Majordomo',
		timeoutMs: 20_000,
	});
	expect(answer.text).not.toBe('');
	const world = (await (await fetch(`http://127.0.0.1:${port + 1}/control/world`)).json()) as {
		entities: Record<string, { state: string }>;
	};
	expect(world.entities['light.shelf']?.state).toBe('off');

	// Four coding sessions report: one waits with a card, and the concierge tells of it once it is on.
	const card = await fleet('api-fix asks');
	expect(card.allText).toContain('Which schema should the orders endpoint use?');
	await control('command', { as: 'alex', channel: 'fleet', command: 'concierge on', options: {}, until: 'complete' });
	const question = await control('message', { as: 'alex', channel: 'fleet', text: '? tell docs what api-fix found' });
	const told = await fleet('I sent docs this', question.id);
	expect(told.text).toContain('312 of 9480 orders are still stored in schema v1');

	// A session can be started without a pi on this machine.
	const folder = join(dir, 'demo-projects', 'website');
	await control('command', {
		as: 'alex',
		channel: 'fleet',
		command: 'session start',
		options: { name: 'greet', directory: folder, task: 'add a greeting' },
		until: 'complete',
	});
	await fleet('greet asks');

	// The bot alone goes and comes; who wrote meanwhile is answered.
	demo.kill('SIGUSR2');
	await control('wait-bot', { bot: 'Majordomo', online: false });
	const meanwhile = await control('message', { as: 'sam', channel: 'room', text: 'overseer, are you still there?' });
	const caughtUp = await control('wait-message', {
		channel: 'room',
		after: meanwhile.id,
		author: 'Majordomo',
		timeoutMs: 30_000,
	});
	expect(caughtUp.text).not.toBe('');
	// The card outlives it: a press reaches the agent, which goes on and asks leave.
	await control('button', { as: 'alex', message: card.id, button: 'Migrate to v2' });
	await eventually('the card tells of the answer', async () => /delivered|arrived/i.test(await shown(card.id)), 20_000);
	await fleet('May I run the migration of orders');
	const pid = Number(await readFile(join(dir, 'redis', 'redis.pid'), 'utf8').catch(() => '0'));

	const ended = new Promise<number | null>((resolve) => demo?.once('exit', (code) => resolve(code)));
	// As at a terminal, where npm or tsx pass on what the process itself got too.
	demo.kill('SIGINT');
	setTimeout(() => demo?.kill('SIGINT'), 50);
	expect(await ended).toBe(0);
	for (const offset of [0, 1, 2, 3]) expect(await answers(port + offset)).toBe(false);
	if (pid > 0) expect(() => process.kill(pid, 0)).toThrow();
});
