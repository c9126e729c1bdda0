import type { FleetScene } from '../scene.ts';
import { apiFix, depsAudit, docs, session, testRun } from './fleet.ts';

const docsSite = session('docs-site');
const docsApi = session('docs-api');

/** A person has something passed on. */
export const relays: readonly FleetScene[] = [
	{
		id: 'finding',
		about: 'a finding goes from one session to another',
		before: [apiFix, docs],
		steps: [{ ask: 'tell docs what api-fix found' }],
		expect: { sends: [{ to: 'docs', says: [/api-fix/, /312/] }], answers: [{ says: [/docs/] }] },
	},
	{
		id: 'words',
		about: "a person's words go to one session",
		before: [docs, testRun],
		steps: [{ ask: 'let docs know that the release is on Friday' }],
		expect: { sends: [{ to: 'docs', says: [/Friday/] }], answers: [{ says: [/docs/] }] },
	},
	{
		id: 'to-one-that-waits',
		about: 'a person may have something told to a session that waits; its question stays open',
		before: [apiFix, docs],
		steps: [{ ask: 'tell api-fix that the database is back' }],
		expect: { sends: [{ to: 'api-fix', says: [/database is back/] }], answers: [{}] },
	},
	{
		id: 'everyone',
		about: 'everybody who works is told',
		before: [docs, session('mailer')],
		steps: [{ ask: 'tell everyone that the staging server goes down at noon' }],
		expect: {
			sends: [
				{ to: 'docs', says: [/noon/] },
				{ to: 'mailer', says: [/noon/] },
			],
			answers: [{}],
		},
	},
	{
		id: 'ambiguous',
		about: 'a name that fits two sessions is asked back, and nobody is told',
		before: [docsSite, docsApi],
		steps: [{ ask: 'tell docs that the build is green' }],
		expect: { answers: [{ says: [/docs-site/, /docs-api/] }], sends: [] },
	},
	{
		id: 'unknown',
		about: 'a name that fits nobody reaches nobody',
		before: [docs],
		steps: [{ ask: 'tell deploy-bot that the build is green' }],
		expect: { answers: [{ says: [/deploy-bot/] }], sends: [] },
	},
	{
		id: 'watch',
		about: 'told when something is done',
		before: [docs, session('deps-audit')],
		steps: [{ ask: 'tell me when deps-audit is finished' }],
		expect: { watches: [{ name: 'deps-audit', when: 'finished' }], answers: [{ says: [/deps-audit/] }], sends: [] },
	},
	{
		id: 'watch-and-relay',
		about: 'passed on when something is done',
		before: [docs, session('deps-audit')],
		steps: [
			{ ask: 'when deps-audit is finished, tell docs' },
			{ reports: [{ name: 'deps-audit', says: depsAudit.says.slice(2) }] },
		],
		expect: { sends: [{ to: 'docs', says: [/deps-audit/] }], watches: [{ name: 'deps-audit', when: 'finished' }] },
	},
];
