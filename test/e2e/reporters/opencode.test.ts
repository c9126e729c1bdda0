import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createOpencodeFollower, type OpencodeFollower } from '../../../adapters/fleet/opencode/opencode-follower.ts';
import { createFleetClient } from '../../../adapters/fleet/reporters/fleet-client.ts';
import { createReporter, type Reporter } from '../../../adapters/fleet/reporters/reporter.ts';
import { sessionId } from '../../../core/fleet/session.ts';
import { recorded } from '../../replay/fleet/replay.ts';
import { eventually } from '../../support/fakes/eventually.ts';
import { createMemoryLog } from '../../support/fakes/memory-log.ts';
import { type FleetBench, LAPTOP, openFleet, RIA } from '../../support/fleet.ts';
import { startTestRedis, type TestRedis } from '../../support/redis.ts';

const lines = recorded('opencode') as { type: string; properties: Record<string, unknown> }[];
/** Where the events of a type stand in the recording. */
const at = (type: string, nth = 0) => lines.flatMap((line, index) => (line.type === type ? [index] : []))[nth] ?? -1;
const PERMISSION = lines[at('permission.asked')]?.properties as { id: string; sessionID: string };
const QUESTION = lines[at('question.asked')]?.properties as { id: string };
const SESSION = PERMISSION.sessionID;
const ID = sessionId('opencode', 'laptop', SESSION);
let redis: TestRedis;
let bench: FleetBench;
let reporter: Reporter;
let follower: OpencodeFollower;
let stop: AbortController;
let done: Promise<void>;
let server: Awaited<ReturnType<typeof openServer>>;

/** A server with the routes of opencode that the follower uses. */
async function openServer() {
	const streams = new Set<ServerResponse>();
	const posts: { path: string; body: unknown }[] = [];
	const counted = { looks: 0 };
	const lists: Record<string, unknown> = { '/permission': [], '/question': [], '/session/status': {} };
	const http = createServer(async (request, response) => {
		const path = request.url ?? '';
		if (request.headers.authorization !== `Basic ${Buffer.from('opencode:pw').toString('base64')}`) {
			response.writeHead(401).end();
		} else if (request.method === 'POST') {
			let text = '';
			for await (const chunk of request) text += chunk;
			posts.push({ path, body: JSON.parse(text) });
			response.writeHead(200).end('true');
		} else if (path === '/event') {
			response.writeHead(200, { 'content-type': 'text/event-stream' });
			streams.add(response);
			response.once('close', () => streams.delete(response));
			response.write(`data: ${JSON.stringify(lines[0])}\n\n`);
		} else {
			if (path === '/session/status') counted.looks += 1;
			response.writeHead(200).end(JSON.stringify(lists[path] ?? null));
		}
	});
	await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
		posts,
		counted,
		lists,
		streams,
		say(from: number, to: number) {
			for (const line of lines.slice(from, to)) {
				for (const stream of streams) stream.write(`data: ${JSON.stringify(line)}\n\n`);
			}
		},
		close() {
			http.closeAllConnections();
			return new Promise((resolve) => http.close(resolve));
		},
	};
}

beforeAll(async () => {
	redis = await startTestRedis();
});
beforeEach(async () => {
	bench = await openFleet(redis);
	server = await openServer();
	const log = createMemoryLog();
	let lastId = 0;
	follower = createOpencodeFollower({
		url: server.url,
		password: 'pw',
		log,
		retryMs: 50,
		aliveMs: 1,
		reporter: () => reporter,
	});
	reporter = createReporter({
		client: createFleetClient({ url: bench.http.url, token: LAPTOP, source: 'opencode' }),
		source: 'opencode',
		clock: { now: () => Date.now() },
		log,
		newId: () => `o-${process.pid}-${++lastId}`,
		pollMs: 500,
		retryMs: 100,
		onItem: (id, item, signal) => follower.onItem(id, item, signal),
	});
	stop = new AbortController();
	done = follower.run(stop.signal);
	await eventually(() => server.counted.looks === 1);
});
afterEach(async () => {
	stop.abort();
	await done;
	await reporter.close();
	await server.close();
	await bench.close();
	await redis.flush();
});
afterAll(() => redis.stop());

const open = () =>
	eventually(async () => {
		const [question] = (await bench.stores.questions.unsettled(10)).filter(({ state }) => state === 'open');
		if (question === undefined) throw new Error('no question yet');
		return question;
	});
const put = (id: string, item: object) =>
	bench.stores.inbox.put(ID, {
		id,
		at: Date.now(),
		kind: 'message',
		from: { role: 'person', ...RIA },
		mode: 'queue',
		...item,
	});

test('FLT-3 FLT-13 a session is followed, its permission and question answered, words and an abort brought to it', async () => {
	const asked = at('permission.asked') + 1;
	server.say(1, asked);
	expect(await open()).toMatchObject({ ref: PERMISSION.id, kind: 'permission' });
	// However long nobody answers, it is known to be there: a heartbeat of the server is enough.
	const reportedAt = async () => (await bench.stores.sessions.load(ID, [], [])).session?.reportedAt ?? 0;
	const before = await reportedAt();
	await eventually(async () => {
		server.say(0, 1);
		return (await reportedAt()) > before;
	});
	await put('i1', { kind: 'answer', ref: PERMISSION.id, answer: { values: ['once'] } });
	await eventually(() => server.posts.length === 1);
	expect(server.posts[0]).toEqual({ path: `/permission/${PERMISSION.id}/reply`, body: { reply: 'once' } });
	const next = at('question.asked') + 1;
	server.say(asked, next);
	await eventually(async () => (await open()).ref === `${QUESTION.id}#0`);
	await put('i2', { kind: 'answer', ref: `${QUESTION.id}#0`, answer: { values: ['v2'] } });
	await eventually(() => server.posts.length === 2);
	expect(server.posts[1]).toEqual({ path: `/question/${QUESTION.id}/reply`, body: { answers: [['v2']] } });
	server.say(next, at('session.idle', 1) + 1);
	await eventually(async () => {
		const [session] = await bench.stores.sessions.list(10);
		expect(session).toMatchObject({
			state: 'finished',
			summary: 'v2 it is.',
			wantedName: expect.stringMatching(/^fix.the.shop$/i),
		});
		expect(session?.cost.totalUsd).toBe(0.005182);
	});
	await put('i3', { text: 'Now the tests.' });
	await put('i4', { kind: 'abort' });
	await eventually(() => server.posts.length === 4);
	expect(server.posts.slice(2)).toEqual([
		{ path: `/session/${SESSION}/prompt_async`, body: { parts: [{ type: 'text', text: 'Now the tests.' }] } },
		{ path: `/session/${SESSION}/abort`, body: {} },
	]);
});

test('FLT-3 FLT-4 what happened while the stream was down is asked for: a question gone, another open, the run over', async () => {
	server.say(1, at('permission.asked') + 1);
	expect((await open()).ref).toBe(PERMISSION.id);
	server.lists['/question'] = [QUESTION];
	server.lists['/session/status'] = { [SESSION]: { type: 'busy' } };
	for (const stream of server.streams) stream.destroy();
	await eventually(async () => (await open()).ref === `${QUESTION.id}#0`);
	server.lists['/question'] = [];
	server.lists['/session/status'] = {};
	for (const stream of server.streams) stream.destroy();
	await eventually(async () => {
		expect(await bench.stores.questions.unsettled(10)).toEqual([]);
		expect((await bench.stores.sessions.list(10))[0]?.state).toBe('finished');
	});
});
