/** The parts of the page besides the rooms. Every text goes in as text: nothing in it can become markup. */
import { seconds } from './room.js';

const TITLES = { fleet: 'Fleet', intake: 'Intakes', spending: 'Budgets', audit: 'Last calls of tools' };
const TONES = {
	confirmed: 'is-good',
	finished: 'is-good',
	COMPLETE: 'is-good',
	waiting: 'is-warn',
	unconfirmed: 'is-warn',
	unknown: 'is-warn',
	starting: 'is-warn',
	failed: 'is-bad',
	blocked: 'is-bad',
	invalid: 'is-bad',
	CANCELLED: 'quiet',
	idle: 'quiet',
	stopped: 'quiet',
	dry_run: 'quiet',
};

const dollars = (usd) => `$${usd >= 0.01 || usd === 0 ? usd.toFixed(2) : usd.toFixed(4)}`;

/** @returns the children of the board's article */
export function renderBoard(name, board, now, element) {
	const heading = element('h2', {}, TITLES[name] ?? name);
	if (!board) return [heading, element('p', { class: 'is-bad' }, 'This part cannot be read now; the log says why.')];
	const ago = (at) => `${seconds(now - at)} ago`;
	const state = (text) => element('strong', { class: TONES[text] ?? '' }, text.replaceAll('_', ' ').toLowerCase());
	const list = (rows, empty) =>
		rows.length === 0 ? element('p', { class: 'quiet' }, empty) : element('ul', { class: 'rows' }, ...rows);
	const quiet = (...parts) => element('span', { class: 'quiet' }, parts.filter(Boolean).join(' · '));
	const row = (...parts) => element('li', {}, ...parts.flatMap((part) => (part ? [part, ' '] : [])));

	const draw = {
		fleet: ({ line, sessions, more }) => [
			element('p', {}, line),
			list(
				sessions.map((one) =>
					row(
						state(one.state),
						element('strong', {}, one.name),
						one.words && `“${one.words}”`,
						quiet(one.source, one.host, one.costTodayUsd > 0 && dollars(one.costTodayUsd), ago(one.updatedAt)),
					),
				),
				'No session reports.',
			),
			more > 0 && element('p', { class: 'quiet' }, `and ${more} more`),
		],
		intake: ({ sessions }) => [
			list(
				sessions.map((one) =>
					row(state(one.state), element('code', {}, one.id), quiet(`round ${one.roundCount}`, ago(one.updatedAt))),
				),
				'No intake was begun.',
			),
		],
		spending: ({ day, timeZone, parts, concierge }) => [
			element('p', { class: 'quiet' }, `${day} · ${timeZone}`),
			element(
				'dl',
				{},
				...parts.flatMap(({ part, usd, calls }) => [
					element('dt', {}, part),
					element('dd', {}, `${dollars(usd)} in ${calls} ${calls === 1 ? 'call' : 'calls'}`),
				]),
				...(concierge
					? [
							element('dt', {}, 'digests'),
							element(
								'dd',
								{ class: concierge.budgetUsd > 0 && concierge.usd >= concierge.budgetUsd ? 'is-bad' : '' },
								concierge.budgetUsd > 0
									? `${dollars(concierge.usd)} of ${dollars(concierge.budgetUsd)}`
									: `${dollars(concierge.usd)}, no limit`,
							),
						]
					: []),
			),
		],
		audit: ({ rows }) => [
			list(
				rows.map((one) =>
					row(
						state(one.step),
						element('code', {}, one.tool),
						[one.reasons.join(', '), one.summary].filter(Boolean).join(' · '),
						quiet(one.room, one.trigger, ago(one.at)),
					),
				),
				'No tool was called yet.',
			),
		],
	}[name];
	return [heading, ...(draw ? draw(board) : [element('pre', {}, JSON.stringify(board, undefined, 2))])].filter(Boolean);
}
