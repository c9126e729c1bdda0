import { describe, expect, test } from 'vitest';
import { chooseHost } from '../../../../core/fleet/choose-host.ts';
import { markHostGone } from '../../../../core/fleet/host-gone.ts';
import { type Question, questionId } from '../../../../core/fleet/question.ts';
import { relist } from '../../../../core/fleet/relist.ts';
import type { ReportedQuestion } from '../../../../core/fleet/report.ts';
import type { SessionView } from '../../../../core/fleet/stores.ts';
import { asked, nothing, play, report } from './fixture.ts';

const offers = [
	{ host: 'laptop', directories: ['/home/me/projects', '/'], seenAt: 1 },
	{ host: 'server', directories: ['/home/me/projects/api/', '/srv'], seenAt: 2 },
];

describe('which machine', () => {
	test.each([
		['/home/me/projects', 'laptop'],
		['/home/me/projects/web', 'laptop'],
		['/home/me/projects/api', 'server'],
		['/home/me/projects/api/deep/er', 'server'],
		['/home/me/projects/api-two', 'laptop'],
		['/srv/x', 'server'],
		['/etc', 'laptop'],
	])('FLT-3 %s is started on %s', (directory, host) => {
		expect(chooseHost(offers, { directory })).toEqual({ kind: 'host', host });
	});

	test('FLT-3 a refusal names the folders there are, of the machine that was named', () => {
		const server = offers.slice(1);
		expect(chooseHost(server, { directory: '/etc' })).toMatchObject({
			code: 'directory_not_allowed',
			why: expect.stringContaining('/home/me/projects/api/, /srv'),
		});
		expect(chooseHost(offers, { directory: '/etc', host: 'server' })).toMatchObject({ code: 'directory_not_allowed' });
		expect(chooseHost(offers, { directory: '/srv', host: 'laptop' })).toEqual({ kind: 'host', host: 'laptop' });
		expect(chooseHost(offers, { directory: '/srv', host: 'gone' })).toMatchObject({ code: 'not_ready' });
		expect(chooseHost([], { directory: '/srv' })).toMatchObject({ code: 'not_ready' });
		const many = [{ host: 'h', directories: Array.from({ length: 100 }, (_, index) => `/d${index}`), seenAt: 0 }];
		const refused = chooseHost(many, { directory: '/x' });
		expect(refused.kind === 'refused' && refused.why.length).toBeLessThan(400);
	});
});

const inAgent = (ref: string): ReportedQuestion => ({
	ref,
	kind: 'text',
	text: '?',
	choices: [],
	multi: false,
	freeText: true,
});
const stored = (ref: string, state: Question['state']) => ({ ref, state }) as Question;

describe('the record against the agent', () => {
	test('FLT-13 what only the record has is lost, what only the agent has is announced, answers stay answers', () => {
		const record = [
			stored('both', 'open'),
			stored('ghost', 'open'),
			stored('wrongly-lost', 'lost'),
			stored('wrongly-closed', 'closed'),
			stored('answered', 'answered'),
			stored('over', 'closed'),
		];
		const agent = ['both', 'wrongly-lost', 'wrongly-closed', 'answered', 'unknown'].map(inAgent);
		const found = relist(record, agent);
		expect(found.lost).toEqual(['ghost']);
		expect(found.announce.map(({ ref }) => ref)).toEqual(['wrongly-lost', 'wrongly-closed', 'unknown']);
		expect(relist([], [])).toEqual({ announce: [], lost: [] });
	});
});

const started = report('started', { n: 1 });
const question = (n: number) => report('question', { n, data: asked('ask-1') });

describe('a machine that is gone', () => {
	const gone = (view: SessionView, now = 9_000) => markHostGone({ view, names: new Map(), timeZone: 'UTC', now });

	test('FLT-4 FLT-13 its session is stale, not ended, and its questions are lost; the time of its last word stays', () => {
		const view = play(nothing(), [started, question(2)]);
		const change = gone(view);
		expect(change?.session).toMatchObject({ staleSince: 9_000, state: 'working', openQuestions: [] });
		expect(change?.session.endedAt).toBeUndefined();
		expect(change?.session.reportedAt).toBe(view.session?.reportedAt);
		expect(change?.questions.map(({ state }) => state)).toEqual(['lost']);
		expect(change?.events.map(({ kind }) => kind)).toContain('stale');
		expect(gone({ ...view, session: change?.session })).toBeUndefined();
		expect(gone({ session: undefined, version: 0, questions: [], known: new Set() })).toBeUndefined();
	});

	test('FLT-4 FLT-13 when its agent lives after all, its next reports take the mark away and bring the question back', () => {
		const view = play(nothing(), [started, question(2)]);
		const change = gone(view);
		if (change === undefined) throw new Error('nothing changed');
		const before = { ...view, session: change.session, questions: [...change.questions] };
		const back = play(before, [question(3)]);
		expect(back.session).toMatchObject({ state: 'waiting' });
		expect(back.session?.staleSince).toBeUndefined();
		expect(back.questions.find(({ id }) => id === questionId(back.session?.id ?? '', 'ask-1'))?.state).toBe('open');
	});
});
