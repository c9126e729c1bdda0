import { describe, expect, test } from 'vitest';
import { exitCodeOf, type Finding } from '../../../../core/operations/finding.ts';
import { hideSecrets } from '../../../../core/operations/hide-secrets.ts';
import { judgeClock } from '../../../../core/operations/judge-clock.ts';
import { type DiscordFacts, judgeDiscord } from '../../../../core/operations/judge-discord.ts';
import { judgeDisk } from '../../../../core/operations/judge-disk.ts';
import { judgeModel } from '../../../../core/operations/judge-model.ts';

const codes = (findings: readonly Finding[]) => findings.map(({ severity, code }) => `${severity} ${code}`);

describe('judgeDiscord', () => {
	const wishes = { messageContent: true, adminRoleIds: [], commandScope: 'guild', commandNames: ['help'] } as const;
	const inside: Extract<DiscordFacts, { kind: 'in' }> = {
		kind: 'in',
		application: { id: '1', name: 'M', flags: 1 << 19 },
		gateway: { kind: 'ready' },
	};
	const judge = (more: Partial<typeof inside>) => codes(judgeDiscord({ ...inside, ...more }, wishes));

	test('OPS-3 the gateway has the last word on intents: the flag alone is only asked when nobody answered', () => {
		const flagless = { ...inside.application, flags: 0 };
		expect(judge({ application: flagless })).toEqual([]);
		expect(judge({ application: flagless, gateway: { kind: 'unreachable', reason: 'x' } })).toEqual([
			'error discord_intents',
		]);
		expect(judge({ gateway: { kind: 'closed', code: 4014 } })).toEqual(['error discord_intents']);
		expect(judge({ gateway: { kind: 'closed', code: 4004 } })).toEqual(['error discord_token']);
		expect(judge({ gateway: { kind: 'closed', code: 4000 } })).toEqual(['error discord_gateway']);
		expect(judge({ gateway: { kind: 'spared', loginsLeft: 3 } })).toEqual(['warning discord_logins']);
	});

	test('OPS-3 a missing commands scope is told apart from commands that are only not there yet', () => {
		const guild = {
			id: '9',
			name: 'G',
			roles: [{ id: '5', name: 'own', position: 1, permissions: '0' }],
			ownRoleIds: ['5'],
		};
		expect(judge({ guild })).toEqual(['error commands_scope']);
		expect(judge({ guild, commands: [] })).toEqual(['info commands_none']);
		expect(judge({ guild, commands: ['other'] })).toEqual(['warning commands_old']);
		expect(judge({ guild, commands: ['help', 'other'] })).toEqual([]);
	});
});

describe('judgeClock', () => {
	const at = (source: string, seconds: number, uncertainMs = 100) => ({
		source,
		aheadMs: seconds * 1_000,
		uncertainMs,
	});

	test('OPS-3 one clock against two is the wrong one, whichever that is', () => {
		expect(codes(judgeClock([at('Discord', 30), at('Home Assistant', 31), at('Redis', 0)]))).toEqual([
			'warning clock_ours',
		]);
		expect(judgeClock([at('Discord', 0), at('Home Assistant', -300), at('Redis', 0)])).toEqual([
			expect.objectContaining({
				severity: 'error',
				what: expect.stringContaining('clock of Home Assistant is 300 s behind'),
			}),
		]);
	});

	test('OPS-3 a slow line is no wrong clock', () => {
		expect(judgeClock([at('Discord', 6, 4_000)])).toEqual([]);
		expect(judgeClock([])).toEqual([]);
	});
});

describe('the other judges', () => {
	test('OPS-3 a disk: plenty, tight, full', () => {
		const disk = (megabytes: number) =>
			codes(judgeDisk({ kind: 'there', path: '/data', freeBytes: megabytes * 1e6, totalBytes: 1e12 }));
		expect([disk(5_000), disk(900), disk(50)]).toEqual([[], ['warning disk_space'], ['error disk_space']]);
	});

	test('OPS-3 a slow model is worth a note, a free one needs no price', () => {
		const facts = {
			id: 'ollama/x',
			isPaid: false,
			hasPrice: false,
			presence: { ok: true, detail: '' },
			others: [],
		} as const;
		expect(codes(judgeModel({ ...facts, answer: { ok: true, ms: 45_000 } }))).toEqual(['info model_slow']);
		expect(codes(judgeModel({ ...facts, isPaid: true }))).toEqual(['warning model_price']);
	});

	test('OPS-3 the exit code is that of the worst', () => {
		const of = (...severities: Finding['severity'][]) =>
			exitCodeOf(severities.map((severity) => ({ area: 'disk', severity, code: '', what: '', fix: '' })));
		expect([of(), of('info'), of('info', 'warning'), of('warning', 'error', 'info')]).toEqual([0, 0, 1, 2]);
	});

	test('OPS-3 secrets are hidden in plain and in address form, the longer first', () => {
		const hidden = hideSecrets('a p@ss/word and p%40ss%2Fword, long-secret-more', [
			'p@ss/word',
			'long-secret',
			'long-secret-more',
			'ab',
		]);
		expect(hidden).toBe('a [secret] and [secret], [secret]');
	});
});
