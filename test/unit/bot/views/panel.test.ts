import { describe, expect, test } from 'vitest';
import { createTranslate } from '../../../../bot/catalogue.ts';
import { panelView } from '../../../../bot/views/panel.ts';
import type { RoomFacts } from '../../../../bot/views/room-facts.ts';
import { statusView } from '../../../../bot/views/status.ts';
import { toPayload, type View } from '../../../../bot/views/view.ts';
import { whyView } from '../../../../bot/views/why.ts';
import { overseerSettings } from '../../../../config/overseer.ts';
import { roomSettings } from '../../../../config/rooms.ts';
import { OPEN_SITE } from '../../../../core/overseer/site.ts';
import { type OverseerStatus, overseerStatus, type StatusCall } from '../../../../core/overseer/status.ts';
import { freshStatus } from '../../../../core/overseer/status-change.ts';

const NOW = 1_796_000_000_000;
const en = createTranslate('en');
const settings = overseerSettings.parse({ name: 'Vesper', stage: 'full' });
const call = (more: Partial<StatusCall> = {}): StatusCall => ({
	at: NOW,
	callId: 'c1',
	tool: 'lift_up',
	args: '{}',
	state: 'blocked',
	reasons: [{ code: 'cooldown', remainingMs: 11_500 }],
	...more,
});
const busy: OverseerStatus = overseerStatus.parse({
	...freshStatus('lab', settings, NOW),
	running: true,
	phase: 'tool_exec',
	lastTrigger: { at: NOW, trigger: 'direct_address', note: 'alex said the name' },
	lastHold: { at: NOW + 1, reason: 'nothing new' },
	decision: {
		id: 'd1',
		at: NOW,
		trigger: 'direct_address',
		attempt: 2,
		addressedBy: ['Alex'],
		evidence: ['message 7 names Vesper'],
	},
	stateUpdate: 'STATE_UPDATE\ntime: 12:00',
	modelInput: {
		model: 'qwen3:8b',
		messages: 9,
		turns: 6,
		estimatedTokens: 1_200,
		reportedTokens: 1_250,
		available: ['chat_say'],
		blocked: [{ tool: 'lift_up', reasons: [{ code: 'policy_lock:site_mode_admin' }] }],
	},
	output: {
		at: NOW,
		raw: '{"mode":"CHAT"} ``` @everyone',
		mode: 'CHAT',
		notes: ['truncated'],
		latencyMs: 2_340,
		chat: 'No.',
		chatDropped: 'repeat',
	},
	calls: [call()],
	readyAt: { lift: NOW + 12_000 },
	budget: { minuteUsed: 2, minuteMax: 6, hourUsed: 9, hourMax: 60 },
	recentActions: [call({ tool: 'ha_set_entity', state: 'confirmed', reasons: undefined, summary: 'Shelf is off' })],
	backoffUntil: NOW + 5_000,
	failures: 3,
	lastError: { at: NOW, code: 'unreachable', text: 'connect ECONNREFUSED' },
});
const facts = (more: Partial<RoomFacts> = {}): RoomFacts => ({
	room: roomSettings.parse({ id: 'lab', title: 'The lab', channelId: '800000000000000001' }),
	name: 'Vesper',
	stage: 'full',
	runtime: 'overseer',
	site: OPEN_SITE,
	status: busy,
	now: NOW + 1_000,
	...more,
});
const textOf = (view: View) => JSON.stringify(toPayload(view).embeds);

describe('panelView', () => {
	test('OVR-31 shows everything that the panel promises', () => {
		const text = textOf(panelView(facts(), en));
		for (const part of [
			'Vesper in The lab',
			'tool_exec',
			'stage `full`',
			'alex said the name',
			'nothing new',
			'message 7 names Vesper',
			'addressed by Alex',
			'attempt 2',
			'qwen3:8b',
			'1250 reported',
			'available: chat_say',
			'lift_up: policy_lock:site_mode_admin',
			'**CHAT** · 2.3 s',
			'truncated',
			'not said: repeat',
			'cooldown 12 s',
			`lift <t:${Math.floor((NOW + 12_000) / 1_000)}:R>`,
			'2 of 6 this minute, 9 of 60 this hour',
			'failed 3 times',
			'Shelf is off',
			'unreachable',
			'time: 12:00',
		])
			expect(text).toContain(part);
	});

	test.each([
		['overseer', facts()],
		['commentary', facts({ runtime: 'commentary' })],
		['off', facts({ runtime: 'off' })],
		['never looked', facts({ status: undefined })],
	])('OPS-2 where nothing is kept, the panel of %s is red and says so first', (_, now) => {
		for (const t of [en, createTranslate('de')]) {
			const [main] = toPayload(panelView({ ...now, isKept: false }, t)).embeds;
			expect(main?.color).toBe(0xed4245);
			expect(main?.description).toMatch(/^⛔ \*\*(NOTHING IS KEPT|NICHTS WIRD BEHALTEN)/);
			expect(main?.title).toBe(toPayload(panelView(now, t)).embeds[0]?.title);
		}
	});

	test('OVR-31 a status of the greatest lengths stays within Discord’s limits and keeps every field', () => {
		const long = 'x y'.repeat(700);
		const full: OverseerStatus = {
			...busy,
			stateUpdate: long.slice(0, 3_000),
			output: { ...busy.output!, raw: long.slice(0, 1_500) },
			calls: Array.from({ length: 10 }, () => call({ args: long.slice(0, 200) })),
			recentActions: Array.from({ length: 10 }, () => call({ args: long.slice(0, 200), summary: long.slice(0, 200) })),
			lastError: { at: NOW, code: 'invalid', text: long.slice(0, 300) },
		};
		const { embeds } = toPayload(panelView(facts({ status: full }), en));
		expect(embeds[0]?.fields).toHaveLength(11);
		expect(JSON.stringify(embeds).length).toBeLessThan(9_000);
		const total = embeds.reduce(
			(sum, { title = '', description = '', fields = [] }) =>
				sum +
				title.length +
				description.length +
				fields.reduce((all, field) => all + field.name.length + field.value.length, 0),
			0,
		);
		expect(total).toBeLessThanOrEqual(6_000);
		expect(embeds[1]?.description?.endsWith('```')).toBe(true);
	});

	test('OVR-31 it changes with the room, not with the clock', () => {
		const at = (now: number, updatedAt: number) =>
			JSON.stringify(panelView(facts({ now, status: { ...busy, updatedAt } }), en));
		expect(at(NOW + 20_000, NOW + 19_000)).toBe(at(NOW + 1_000, NOW));
	});

	test('OVR-31 a gate that nobody runs is said', () => {
		expect(textOf(panelView(facts({ now: NOW + 120_000 }), en))).toContain('Is a worker running');
		expect(textOf(panelView(facts(), en))).not.toContain('Is a worker running');
	});

	test('OVR-28 commentary, a switched-off runtime, a switched-off stage and no status each have their own face', () => {
		expect(textOf(panelView(facts({ runtime: 'commentary' }), en))).toContain('commentary only');
		expect(textOf(panelView(facts({ runtime: 'off' }), en))).toContain('runtime is `off`');
		expect(textOf(panelView(facts({ stage: 'off' }), en))).toContain('stage is `off`');
		expect(textOf(panelView(facts({ status: undefined }), en))).toContain('no status yet');
	});

	test('OVR-29 the one name is in the title, whoever it is', () => {
		expect(textOf(panelView(facts({ name: 'Moth' }), en))).toContain('Moth in The lab');
	});

	test('OVR-31 pause turns into resume, and the stage in force is chosen', () => {
		const labels = (view: View) => JSON.stringify(view.components);
		expect(labels(panelView(facts(), en))).toContain('v1:panel:pause:lab');
		expect(labels(panelView(facts({ site: { ...OPEN_SITE, paused: true } }), en))).toContain('v1:panel:resume:lab');
		expect(labels(panelView(facts(), en))).toContain('{"label":"full","value":"full","default":true}');
	});
});

describe('answers', () => {
	test('OVR-27 the status for everybody holds neither prompts nor raw output', () => {
		const text = textOf(statusView(facts(), en));
		expect(text).toContain('direct_address');
		expect(text).not.toContain('STATE_UPDATE');
		expect(text).not.toContain('mode\\":');
	});

	test('OVR-25 why tells trigger, evidence, what was withheld and what came of it', () => {
		const row = { id: 'r', at: NOW, room: 'lab', callId: 'c1', tool: 'lift_up', trigger: 'direct_address' } as const;
		const rows = [
			{ ...row, decisionId: 'd1', step: 'blocked', reasons: [{ code: 'cooldown', remainingMs: 11_500 }] },
			{ ...row, decisionId: 'other', step: 'confirmed', summary: 'not this one' },
		] as const;
		const text = textOf(whyView(facts({ stage: 'observe' }), rows, en));
		for (const part of [
			'direct_address',
			'Alex',
			'message 7 names Vesper',
			'**CHAT**',
			'No.',
			'not said: repeat',
			'policy_lock:site_mode_admin',
			'**blocked** cooldown 12 s',
			'would have happened',
			'nothing new',
		])
			expect(text).toContain(part);
		expect(text).not.toContain('not this one');
	});

	test('OVR-25 why says so when nothing was decided yet', () => {
		expect(whyView(facts({ status: undefined }), [], en).content).toContain('No decision');
	});
});
