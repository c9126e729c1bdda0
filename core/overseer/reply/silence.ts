const WRAPPING = /^[\s"'`*_~<>()[\]{}«»„“”‚‘’|\\/#:.!-]+|[\s"'`*_~<>()[\]{}«»„“”‚‘’|\\/#:.!-]+$/gu;
const LABEL = /^(?:(?:my |final )?(?:decision|mode|action|answer|output|response|reply)\s*(?:is\s*)?[:=-]\s*)+/iu;
const SILENT = new Set(
	[
		'skip, skipped, skipping, skip this, skip turn, skip cycle, skip this one, skip this cycle, skip this turn, i skip',
		'ill skip, i will skip, ill skip this one, no_reply, no reply, noreply, no response, no_response, no message',
		'no chat, no output, silence, silent, stay silent, stays silent, staying silent, remain silent, remains silent',
		'says nothing, say nothing, none, null, nil, undefined, nothing, nothing to say, n/a, na, pass, no action, no_action',
		'no op, noop, no-op, heartbeat_ok, empty, empty string, no comment needed, do nothing, überspringen, schweigen',
		'schweigt, nichts, keine antwort',
	]
		.join(', ')
		.split(', '),
);

/** Does the text only say that nothing is said? Any dress of the word "skip", placeholders, bare punctuation. */
export function isSilence(text: string): boolean {
	const trimmed = text.slice(0, 2_000).trim();
	const core = trimmed.replace(WRAPPING, '').replace(LABEL, '').replace(WRAPPING, '');
	if (!/[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(core)) return true;
	if (SILENT.has(core.toLowerCase().replaceAll('’', "'").replaceAll("'", '').replace(/\s+/g, ' '))) return true;
	// The word with a reason behind it, or a text that ends in the bare control word.
	if (/^SKIP(?![\p{L}\p{N}_])/u.test(core)) return true;
	if (/^skip(?:ped|ping)?\s*(?:[-–—:;.,(\n]|because\b|since\b|as\b)/iu.test(core)) return true;
	return /(?:^|[\s.,;:!?"'(*])SKIP["'`*_.!)\]]*$/u.test(trimmed);
}
