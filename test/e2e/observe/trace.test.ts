import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Collector, type SeenSpan, startCollector } from '../../support/collector.ts';
import { openProcessHouse, type ProcessHouse } from '../../support/process-house.ts';
import { eventually } from '../../support/redis.ts';
import { openStartedHouse, type StartedHouse, type StartedProcess } from '../../support/started-house.ts';

/*
 * Two processes as an operator starts them, a collector that listens, and one sentence in Discord.
 */
let house: ProcessHouse;
let started: StartedHouse;
let collector: Collector;
let bot: StartedProcess;
let worker: StartedProcess;
let asked: string;
/** The command as it reached Home Assistant. */
let contextId: string;

const SENTENCE = 'overseer, my grandmother Wilhelmina wants the shelf lamp off';
const CHAT = 'As you wish, the shelf is dark.';

beforeAll(async () => {
	collector = await startCollector();
	house = await openProcessHouse({
		script: () => ({
			text: JSON.stringify({
				mode: 'ACTION+CHAT',
				chat: CHAT,
				calls: [{ tool: 'ha_set_entity', args: { entity_id: 'light.shelf', state: 'off' } }],
			}),
		}),
		change: ({ overseer }) => {
			overseer.gate.heartbeatMs = 3_600_000;
			overseer.gate.idleHeartbeatMs = 0;
		},
	});
	house.home.control.act({ domain: 'light', service: 'turn_on', entityId: 'light.shelf' });
	started = await openStartedHouse(house);
	const traced = {
		OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
		OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20collectors-own-key-0123',
	};
	[worker, bot] = await Promise.all([started.start('worker', traced), started.start('bot', traced)]);
	const { control } = house.discord;
	await control.waitBot({ bot: 'Majordomo', timeoutMs: 30_000 });
	asked = (await control.message({ as: 'sam', channel: 'room', text: SENTENCE })).id;
	await control.waitMessage({ channel: 'room', after: asked, author: 'Majordomo', timeoutMs: 30_000 });
	contextId = house.home.control.calls().find(({ service }) => service === 'turn_off')?.contextId ?? '';
	await eventually(
		'both processes sent their part',
		() =>
			named('discord.post').length > 0 &&
			named('home.call').length > 0 &&
			!collector.spans().flatMap(above).includes('lost'),
	);
}, 180_000);
afterAll(async () => {
	await started?.stop();
	await house?.close();
	await collector?.close();
});

const named = (name: string) => collector.spans().filter((span) => span.name === name);
const one = (name: string): SeenSpan => {
	const [span] = named(name);
	if (span === undefined)
		throw new Error(
			`no span ${name}: ${collector
				.spans()
				.map((seen) => seen.name)
				.join(', ')}`,
		);
	return span;
};

/** Names of the spans above one, nearest first. */
function above(span: SeenSpan): string[] {
	const parent = collector.spans().find(({ spanId }) => spanId === span.parentSpanId);
	if (parent === undefined) return span.parentSpanId === undefined ? [] : ['lost'];
	return [parent.name, ...above(parent)];
}

test('OPS-7 one trace leads from the message in Discord to the command in Home Assistant, over two processes and two queues', () => {
	const command = one('home.call');
	expect(command.attributes['majordomo.contextId']).toBe(contextId);
	expect(contextId).not.toBe('');
	expect(above(command)).toEqual([
		'overseer.tool',
		'job tool-run',
		'process tool-run',
		'add tool-run.tool-run',
		'overseer.decision',
		'job overseer-decide',
		'process overseer-decide',
		'add overseer-decide.overseer-decide',
		'overseer.gate',
		'discord.message',
	]);
	expect(one('discord.message').role).toBe('bot');
	expect([command.role, one('overseer.gate').role, one('overseer.decision').role]).toEqual(Array(3).fill('worker'));
});

test('OPS-7 the model call and the answer in Discord hang in the same trace, the answer back in the bot', () => {
	const { traceId } = one('discord.message');
	const model = one('model.call');
	expect(above(model)[0]).toBe('overseer.decision');
	expect(model.attributes).toMatchObject({ 'majordomo.purpose': 'overseer.decide', 'majordomo.stop': 'end' });
	expect(model.attributes['majordomo.inputTokens']).toBeGreaterThan(0);
	const post = one('discord.post');
	expect(above(post).slice(0, 2)).toEqual(['overseer.tool', 'overseer.decision']);
	expect(post.role).toBe('bot');
	for (const name of ['model.call', 'discord.post', 'home.call', 'overseer.gate', 'room.transcript'])
		expect(one(name).traceId, name).toBe(traceId);
});

test('OPS-7 housekeeping of queues makes no traces, and none has lost its beginning', () => {
	const roots = collector.spans().filter(({ parentSpanId }) => parentSpanId === undefined);
	expect([...new Set(roots.map(({ name }) => name))]).toEqual(['discord.message']);
	expect(collector.spans().filter((span) => above(span).includes('lost'))).toEqual([]);
});

test('OPS-7 nothing personal leaves the house in a span: no word, no name, no person, no secret', () => {
	expect(collector.bodies().length).toBeGreaterThan(1_000);
	const personal = [
		'Wilhelmina',
		'shelf lamp',
		CHAT,
		'as you wish',
		'"sam"',
		house.discord.token,
		house.home.token,
		asked,
	];
	for (const text of personal) expect(collector.bodies().toLowerCase(), text).not.toContain(text.toLowerCase());
	const known = new Set(collector.spans().flatMap(({ attributes }) => Object.keys(attributes)));
	expect([...known].filter((name) => !/^(majordomo\.|bullmq\.(queue|job)\.)/.test(name))).toEqual([]);
	expect([...collector.keys()]).toEqual(['Bearer collectors-own-key-0123']);
});

test('OPS-8 one id leads through the logs of both processes, from the message to the command, and into the audit', async () => {
	const trace = one('discord.message').traceId;
	const lines = (process: StartedProcess) => process.rows().filter((row) => row['trace'] === trace);
	expect(lines(bot).map(({ msg }) => msg)).toEqual(['a message was taken in', 'a line was posted']);
	const worked = lines(worker).map(({ msg }) => msg);
	for (const step of [
		'the gate opened',
		'a decision began',
		'a command went to the house',
		'a call ended',
		'a decision ended',
	])
		expect(worked).toContain(step);
	expect(lines(bot)[0]).toMatchObject({ messageId: asked });
	expect(lines(worker).find(({ msg }) => msg === 'a command went to the house')).toMatchObject({ contextId });

	const rows = await house.stores.audit.query({ room: 'workshop', limit: 50 });
	expect(rows.length).toBeGreaterThan(3);
	expect([...new Set(rows.map((row) => row.trace))]).toEqual([trace]);
	const decisions = new Set(rows.map(({ decisionId }) => decisionId));
	expect(decisions.size).toBe(1);
	const [decision] = decisions;
	const inside = lines(worker).filter(({ msg }) => msg !== 'a message was taken in');
	expect(inside.every((row) => row['decision'] === decision)).toBe(true);
	expect(lines(bot)[1]).toMatchObject({ decision });
});
