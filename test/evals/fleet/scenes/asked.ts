import type { FleetScene } from '../scene.ts';
import { apiFix, depsAudit, docs, session, testRun } from './fleet.ts';

const all = [apiFix, testRun, depsAudit, docs];

/** People ask about the fleet. */
export const asked: readonly FleetScene[] = [
	{
		id: 'blocked',
		about: 'what is blocked',
		before: all,
		steps: [{ ask: 'what is blocked' }],
		expect: { answers: [{ says: [/api-fix/, /test-run/], saysNot: [/docs/] }] },
	},
	{
		id: 'nothing-blocked',
		about: 'nothing is blocked, and that is said',
		before: [docs],
		steps: [{ ask: 'is anything blocked?' }],
		expect: { answers: [{ says: [/\b(?:nothing|no|not|none)\b/i] }] },
	},
	{
		id: 'everyone',
		about: 'what everyone is doing',
		before: all,
		steps: [{ ask: 'what is everyone doing?' }],
		expect: { answers: [{ says: [/api-fix/, /test-run/, /deps-audit/, /docs/] }] },
	},
	{
		id: 'finding',
		about: 'what a session found stands in its transcript',
		before: all,
		steps: [{ ask: 'what did api-fix find?' }],
		expect: { answers: [{ says: [/312/] }] },
	},
	{
		id: 'what-it-asks',
		about: 'a question with its choices',
		before: all,
		steps: [{ ask: 'what does api-fix want to know?' }],
		expect: { answers: [{ says: [/schema/i, /v1/, /v2/] }] },
	},
	{
		id: 'cost',
		about: 'what the day has cost',
		before: all,
		steps: [{ ask: 'what did all this cost today?' }],
		expect: { answers: [{ says: [/0[.,]04/] }] },
	},
	{
		id: 'no-such-session',
		about: 'a session that does not exist is not made up',
		before: [docs],
		steps: [{ ask: 'what is billing-fix doing?' }],
		expect: { answers: [{ says: [/billing-fix/, /\b(?:no|not|none|there (?:is|are))\b/i] }] },
	},
	{
		id: 'german',
		about: 'asked in German, answered in German',
		before: [apiFix],
		steps: [{ ask: 'was ist blockiert?' }],
		expect: { answers: [{ says: [/api-fix/, /\b(?:fragt|wartet|blockiert|seit|auf)\b/i] }] },
	},
	{
		id: 'answer-for-me',
		about: 'a person wants a question answered in their place: they are told how to do it',
		before: [apiFix],
		steps: [{ ask: 'answer api-fix for me: v2' }],
		expect: { answers: [{ says: [/card|press|button|reply/i] }] },
	},
	{
		id: 'stop-it',
		about: 'it cannot stop anybody, and says so',
		before: [docs, session('other')],
		steps: [{ ask: 'stop docs please' }],
		expect: { answers: [{ says: [/\b(?:cannot|can't|only|not)\b|\/session/i], saysNot: [/\bI stopped\b/i] }] },
	},
];
