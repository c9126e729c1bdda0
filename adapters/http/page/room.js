/** One room's panel document as page parts. Every text goes in as text: nothing in it can become markup. */

const PHASES = {
	idle: 'idle',
	gate_check: 'looking',
	awaiting_model: 'thinking',
	tool_exec: 'acting',
	posted: 'answered',
	failed: 'failed',
};
const TONES = {
	confirmed: 'is-good',
	dry_run: 'quiet',
	running: 'is-warn',
	attempted: 'is-warn',
	unconfirmed: 'is-warn',
	unknown: 'is-warn',
};

export const seconds = (ms) => {
	const value = Math.max(0, Math.round(ms / 1_000));
	if (value < 90) return `${value} s`;
	return value < 5_400 ? `${Math.round(value / 60)} min` : `${Math.round(value / 3_600)} h`;
};

const because = (reasons = []) =>
	reasons
		.map(({ code, remainingMs, detail }) =>
			[code, remainingMs === undefined ? '' : seconds(remainingMs), detail ?? ''].filter(Boolean).join(' '),
		)
		.join(', ');

/** @returns the children of the room's article */
export function renderRoom({ id, title, status }, now, element) {
	const ago = (at) => (at ? `${seconds(now - at)} ago` : '');
	const badge = (text, tone = 'quiet') => element('span', { class: `badge ${tone}` }, text);
	if (!status)
		return [element('h2', {}, title), element('p', { class: 'quiet' }, 'Nothing has been decided here yet.')];
	if (status.version !== 1 || status.kind !== 'overseer')
		return [element('h2', {}, title), element('pre', {}, JSON.stringify(status, undefined, 2))];

	const rows = [];
	const row = (name, ...content) => {
		const shown = content.filter((part) => part !== undefined && part !== '');
		if (shown.length > 0) rows.push(element('dt', {}, name), element('dd', {}, ...shown));
	};
	const call = (entry) =>
		element(
			'li',
			{},
			element('span', { class: TONES[entry.state] ?? 'is-bad' }, entry.state.replace('_', ' ')),
			' ',
			element('code', {}, `${entry.tool}(${entry.args === '{}' ? '' : entry.args})`),
			` ${[because(entry.reasons), entry.summary].filter(Boolean).join(' · ')} `,
			element('span', { class: 'quiet' }, ago(entry.at)),
		);
	const list = (heading, entries) =>
		entries.length === 0 ? [] : [element('h3', {}, heading), element('ul', {}, ...entries)];
	const fold = (part, heading, text) =>
		text ? [element('details', { 'data-part': part }, element('summary', {}, heading), element('pre', {}, text))] : [];

	const { decision, output, modelInput, budget, lastTrigger, lastHold, lastError } = status;
	row('Phase', `${PHASES[status.phase] ?? status.phase}, ${ago(status.phaseAt)}`);
	row('Last trigger', lastTrigger && `${lastTrigger.trigger}: ${lastTrigger.note}, ${ago(lastTrigger.at)}`);
	row('Gate holds for', lastHold && `${lastHold.reason}, ${ago(lastHold.at)}`);
	row(
		'Decision',
		decision &&
			[
				decision.attempt > 1 ? `${decision.trigger}, try ${decision.attempt}` : decision.trigger,
				...decision.addressedBy.map((name) => `to ${name}`),
				...decision.evidence,
			].join(' · '),
	);
	row(
		'Model',
		modelInput &&
			`${modelInput.model} · ${modelInput.messages} messages · ${modelInput.estimatedTokens} tokens estimated` +
				(modelInput.reportedTokens === undefined ? '' : `, ${modelInput.reportedTokens} reported`),
	);
	row(
		'Output',
		output && element('strong', {}, output.mode),
		output && ` in ${(output.latencyMs / 1_000).toFixed(1)} s ${output.notes.join(', ')}`,
	);
	row('Said', output?.chat && `“${output.chat}”`);
	row('Not said', output?.chatDropped);
	row(
		'Budget',
		`${budget.minuteUsed} of ${budget.minuteMax} a minute · ${budget.hourUsed} of ${budget.hourMax} an hour`,
	);
	row(
		'Cooldowns',
		Object.entries(status.readyAt)
			.filter(([, at]) => at > now)
			.map(([family, at]) => `${family} ${seconds(at - now)}`)
			.join(', '),
	);
	row(
		'Backs off',
		status.backoffUntil > now ? `${seconds(status.backoffUntil - now)} after ${status.failures} failures` : undefined,
	);
	row(
		'Last error',
		lastError && element('span', { class: 'is-bad' }, `${lastError.code}: ${lastError.text}, ${ago(lastError.at)}`),
	);

	return [
		element(
			'h2',
			{},
			title,
			badge(
				status.paused ? 'paused' : status.enabled ? 'on' : 'off',
				status.paused ? 'is-bad' : status.enabled ? 'is-good' : 'quiet',
			),
			badge(status.runtime === 'overseer' ? status.stage : status.runtime),
			...(status.enabled && !status.running ? [badge('nobody looks', 'is-bad')] : []),
			...(status.siteMode === 'open' ? [] : [badge(status.siteMode, 'is-warn')]),
			...(status.lightsLock === 'none' ? [] : [badge(`lights locked ${status.lightsLock}`, 'is-warn')]),
			...(status.votedQuiet ? [badge('voted quiet', 'is-warn')] : []),
		),
		element('dl', { 'data-id': id }, ...rows),
		...list('Calls of this decision', status.calls.map(call)),
		...list('Recent actions', status.recentActions.map(call)),
		...list(
			'Blocked tools',
			(modelInput?.blocked ?? []).map(({ tool, reasons }) =>
				element('li', {}, element('code', {}, tool), ` ${because(reasons)}`),
			),
		),
		...fold('state', 'What it was told of the room', status.stateUpdate),
		...fold('raw', 'What the model wrote', output?.raw),
	];
}
