import { expect, test } from 'vitest';
import { createTranslate } from '../../../../../bot/catalogue.ts';
import type { CommandDeps, CommandRequest } from '../../../../../bot/commands/command.ts';
import { createFleetCommandMaker } from '../../../../../bot/commands/fleet-command.ts';
import { fleetCommandData } from '../../../../../bot/commands/fleet-data.ts';
import type { FleetPorts } from '../../../../../bot/fleet/fleet-ports.ts';
import { headerView } from '../../../../../bot/fleet/threads/header-view.ts';
import {
	formatThreadId,
	isThreadId,
	parseThreadId,
	THREAD_ACTIONS,
} from '../../../../../bot/fleet/threads/thread-id.ts';
import { saidPosts } from '../../../../../bot/fleet/threads/thread-posts.ts';
import { helpView } from '../../../../../bot/views/help.ts';
import { settingsSchema } from '../../../../../config/schema.ts';
import type { FeedEvent } from '../../../../../core/fleet/feed-event.ts';
import type { FleetSession } from '../../../../../core/fleet/session.ts';
import { testLog } from '../../../../support/redis.ts';
import { report, sessionOf, T0 } from '../../../core/fleet/fixture.ts';

test('FLT-15 a thread’s buttons are read again from their ids; other versions’ are known as ours', () => {
	for (const action of THREAD_ACTIONS) {
		const id = formatThreadId(action, 's0123456789abcdef');
		expect(parseThreadId(id)).toEqual({ action, sessionId: 's0123456789abcdef' });
	}
	expect(parseThreadId('v1:fleetthread:explode:s1')).toBeUndefined();
	expect(isThreadId('v9:fleetthread:explode:s1')).toBe(true);
});

test('FLT-15 an unchanged session has an unchanged header however late it is, and an ended one cannot be stopped', () => {
	const session = sessionOf('api-fix', [report('started'), report('working')]).session as FleetSession;
	const at = (now: number, one = session) => headerView({ session: one, questions: [], now, timeZone: 'UTC' }, 'en');
	expect(at(T0 + 60_000)).toEqual(at(T0 + 600_000));
	const labels = (view: ReturnType<typeof at>) => JSON.stringify(view.components);
	expect(labels(at(T0))).toContain('Stop…');
	expect(labels(at(T0, { ...session, endedAt: T0 }))).not.toContain('Stop…');
	expect(labels(at(T0, { ...session, muted: true }))).toContain('Unmute');
	expect(at(T0, { ...session, summary: 'x'.repeat(5_000) }).content.length).toBeLessThanOrEqual(2_000);
});

test('FLT-15 S01 nothing that a session says of itself is mark-up in the header of its thread', () => {
	const evil = '[a](https://evil.example) **x** ||y|| <@111111111111111111> @everyone\n# z';
	const kept = sessionOf('__api__', [
		report('started', { session: { name: '__api__', directory: `/w/${evil}`, model: evil } }),
		report('summary', { data: { text: evil } }),
		report('question', {
			data: { question: { ref: 'r', kind: 'text', text: evil, choices: [], multi: false, freeText: true } },
		}),
	]);
	const session = { ...kept.session!, state: 'failed' as const, runReason: evil, endReason: evil, endedAt: T0 };
	const { content } = headerView({ session, questions: kept.questions, now: T0, timeZone: 'UTC' }, 'en');
	const lines = content.split('\n');
	expect(lines[0]).toMatch(/^\*\*\\_\\_api\\_\\_\*\* · /);
	expect(lines).toHaveLength(6);
	expect(lines.filter((line) => line.includes('evil.example'))).toHaveLength(5);
	for (const line of lines.slice(1))
		expect(line.replace(/\\[\\*_~`|<>[\]]/g, '')).not.toMatch(/[*_~`|<>[\]]|@everyone|^#/);
});

test('FLT-15 a session that goes on does not show how it once ended', () => {
	const { session, questions } = sessionOf('docs', [report('started', { session: { name: 'docs' } })]);
	const ended = { ...session!, endReason: 'the machine went to sleep' };
	const header = (of: typeof ended) => headerView({ session: of, questions, now: T0, timeZone: 'UTC' }, 'en').content;
	expect(header(ended)).not.toContain('went to sleep');
	expect(header({ ...ended, endedAt: T0 } as typeof ended)).toContain('went to sleep');
});

const event = (text: string, words?: unknown): FeedEvent => ({
	seq: 7,
	at: T0,
	kind: 'message',
	sessionId: 's1',
	sessionName: 'api-fix',
	cause: { role: 'session', who: 'api-fix', whoId: 's1' },
	text,
	...(words === undefined ? {} : { data: { words } }),
});

test('FLT-15 S01 a session’s words stand under its name, whole, and no link hides where it leads', () => {
	const { messages } = saidPosts(event('"cut…"', 'One\ntwo [safe](https://evil.example) [x]( <javascript:1>)'));
	expect(messages[0]).toBe('**api-fix:**\nOne\ntwo [safe] (https://evil.example) [x] ( <javascript:1>)');
	expect(saidPosts(event('"one line"', 5)).messages[0]).toBe('**api-fix:**\n"one line"');
	const long = saidPosts(event('', 'many words '.repeat(2_000)));
	expect(long.file).toBeDefined();
	for (const part of long.messages) expect(part.length).toBeLessThanOrEqual(2_000);
});

test('FLT-5 FLT-15 what is registered stays within Discord’s limits, what is required comes first', () => {
	const check = (one: { name: string; description?: string; options?: readonly unknown[] }) => {
		expect(one.name).toMatch(/^[a-z]{1,32}$/);
		expect(one.description?.length).toBeGreaterThan(0);
		expect(one.description?.length).toBeLessThanOrEqual(100);
		const options = (one.options ?? []) as { name: string; required?: boolean; choices?: unknown[] }[];
		expect(options.length).toBeLessThanOrEqual(25);
		const required = options.map((option) => option.required === true);
		expect(required).toEqual([...required].sort((left, right) => Number(right) - Number(left)));
		for (const option of options) check(option);
	};
	for (const command of fleetCommandData) check(command as Parameters<typeof check>[0]);
});

test('FLT-5 FLT-15 the help of all commands fits one answer in both languages, examples included where asked for', () => {
	const items = Array.from({ length: 60 }, (_, index) => ({
		path: index < 20 ? `session part${index}` : `overseer part${index}`,
		help: 'fleet.cmd.help.send' as const,
		example: '/session send session:api-fix text:Use v2 mode:queue',
	}));
	const bot = { name: 'Majordomo', readsEverything: true };
	const text = (about?: string) => helpView(items, bot, createTranslate('de'), about).embeds?.[0]?.description ?? '';
	expect(text()).toContain('part59');
	expect(text()).not.toContain('Beispiel:');
	expect(text()).toContain('/help about');
	expect(text('fleet')).toContain('Beispiel:');
	expect(text('fleet')).toContain('part19');
	expect(text('fleet')).not.toContain('part20');
});

test('FLT-17 control of the fleet is shown to and taken from people with rights only, never from another kind of id', async () => {
	const settings = settingsSchema.parse({
		fleet: { ownerUserIds: ['1000000000000000001'], operatorRoleIds: ['2000000000000000001'] },
	});
	const make = createFleetCommandMaker({
		// Nothing of the stores is asked before the rights are.
		ports: {} as FleetPorts,
		settings: () => settings,
		log: testLog(),
		sessionOf: async () => undefined,
	});
	const told = { path: 'concierge on', help: 'fleet.cmd.help.on', example: '/concierge on' } as const;
	const command = make.plain(told, 'control', async () => ({ content: 'done' }));
	const as = (id: string, roleIds: string[] = []) => ({ id, roleIds });
	const tried = async (person: ReturnType<typeof as>) => {
		const result = await command.run({ person } as unknown as CommandRequest, {} as CommandDeps);
		expect(command.isFor?.(person)).toBe('content' in result);
		return 'content' in result;
	};
	expect(await tried(as('1000000000000000001'))).toBe(true);
	expect(await tried(as('1000000000000000002', ['2000000000000000001']))).toBe(true);
	expect(await tried(as('1000000000000000002'))).toBe(false);
	expect(await tried(as('s0123456789abcdef', ['2000000000000000001']))).toBe(false);
});
