import type { ReadableSpan } from '@opentelemetry/sdk-trace-node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOtelTracing } from '../../../adapters/observe/otel-tracing.ts';
import { createStepScope } from '../../../adapters/observe/step-scope.ts';
import type { Tracing } from '../../../adapters/observe/tracing.ts';
import { createFleetStores } from '../../../adapters/redis/fleet/fleet-stores.ts';
import { createMemorySpans } from '../../support/fakes/memory-spans.ts';
import { LAPTOP, reporter, SCHEMA_QUESTION } from '../../support/fleet.ts';
import { openTestHousehold, type TestHousehold } from '../../support/household.ts';
import { eventually, startTestRedis, type TestRedis } from '../../support/redis.ts';

/* All of the household in this process, its spans in memory. */
const memory = createMemorySpans();
let redis: TestRedis;
let home: TestHousehold;
let tracing: Tracing;

beforeAll(async () => {
	redis = await startTestRedis();
	tracing = createOtelTracing({ scope: createStepScope(), exporter: memory, version: '1.0.0', role: 'all' });
	home = await openTestHousehold({
		redis,
		tracing,
		secrets: () => ({ fleetTokens: { laptop: LAPTOP } }),
		change(settings) {
			settings.overseer.gate.heartbeatMs = 600_000;
			settings.intake.quietMs = 300;
			settings.intake.model.attemptTimeoutMs = 30_000;
			settings.fleet.channelId = '300000000000000001';
			settings.fleet.concierge.coalesceMs = 200;
			settings.fleet.concierge.tickMs = 1_000;
		},
	});
}, 120_000);
afterAll(async () => {
	await home?.stop();
	await tracing?.stop();
	await redis?.stop();
});

/** Names from a span up to the beginning of its trace. */
function way(span: ReadableSpan): string[] {
	const parentId = span.parentSpanContext?.spanId;
	const parent = memory.spans.find((one) => one.spanContext().spanId === parentId);
	return [span.name, ...(parent ? way(parent) : parentId === undefined ? [] : ['lost'])];
}
const ways = (name: string, purpose = '') =>
	memory.spans
		.filter((span) => span.name === name && String(span.attributes['majordomo.purpose'] ?? '').startsWith(purpose))
		.map(way);
/** A span may be here before those around it. */
const complete = (all: string[][]) => (all.some((names) => !names.includes('lost')) ? all : undefined);
const isQueue = (name: string) => /^(add|process|getNextJob) /.test(name);

test('OPS-7 in one process too, a sentence is one trace from Discord to the lamp', { timeout: 60_000 }, async () => {
	home.house.home.control.act({ domain: 'light', service: 'turn_on', entityId: 'light.shelf' });
	await home.answer(await home.say('alex', 'overseer, turn the shelf lamp off'));
	const [found = []] = await eventually('spans are there', () => complete(ways('home.call')));
	expect(found.filter((name) => !isQueue(name))).toEqual([
		'home.call',
		'overseer.tool',
		'job tool-run',
		'overseer.decision',
		'job overseer-decide',
		'overseer.gate',
		'discord.message',
	]);
});

test('OPS-7 an intake is followed from what was said through its turn to the model', { timeout: 60_000 }, async () => {
	await home.house.discord.control.command({
		as: 'alex',
		channel: 'intake',
		command: 'intake start',
		options: { intent: 'I want a shop for handmade mugs with a cart and an inventory.' },
		until: 'complete',
		timeoutMs: 20_000,
	});
	const [found = []] = await eventually('the model was asked', () => complete(ways('model.call', 'intake.')));
	expect(found.filter((name) => !isQueue(name))).toEqual([
		'model.call',
		'job intake-effect',
		'job intake-turn',
		'intake.event',
	]);
});

test('OPS-7 the concierge is followed from its wake to the model and its tools', { timeout: 60_000 }, async () => {
	const api = reporter('api', 'api-fix');
	home.model.control.queue({ kind: 'json', value: { calls: [{ tool: 'hub_sessions', args: {} }] } });
	home.model.control.always({ kind: 'json', value: { say: '', calls: [] } });
	const response = await fetch(`${home.httpUrl}/fleet/events`, {
		method: 'POST',
		headers: { authorization: `Bearer ${LAPTOP}`, 'content-type': 'application/json' },
		body: JSON.stringify({ source: 'script', events: [api.say('started'), api.say('question', SCHEMA_QUESTION)] }),
	});
	expect(response.status).toBe(200);
	const stores = createFleetStores(await redis.connect(), {
		feed: () => home.settings.fleet.feed,
		maxInbox: () => 100,
	});
	const { state, version } = await stores.concierge.read();
	await stores.concierge.commit(version, { ...state, on: true });
	const [tool = []] = await eventually('a tool was used', () => complete(ways('fleet.tool')));
	expect(tool.filter((name) => !isQueue(name))).toEqual(['fleet.tool', 'fleet.wake', 'job fleet-wake', 'fleet.due']);
	const [model = []] = ways('model.call', 'fleet.');
	expect(model.slice(0, 2)).toEqual(['model.call', 'fleet.wake']);
});

test('OPS-7 no trace of the three begins in the middle, and none tells what was said', async () => {
	await eventually('every span has those above it', () => !memory.spans.flatMap(way).includes('lost'));
	expect(memory.spans.length).toBeGreaterThan(30);
	const text = JSON.stringify(memory.spans.map(({ name, attributes, events }) => [name, attributes, events]));
	for (const word of [
		'mugs',
		'inventory',
		'shelf lamp',
		'alex',
		'api-fix',
		'schema',
		home.house.secrets.discordToken ?? '?',
	])
		expect(text.toLowerCase(), word).not.toContain(word.toLowerCase());
});
