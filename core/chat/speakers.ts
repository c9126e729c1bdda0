/** Words that models put before the turns they invent. */
const ROLES = ['system', 'user', 'assistant', 'human', 'developer', 'tool', 'model', 'narrator'];
const BRACKET_ROLE = /\[\/?\s{0,4}(?:system|user|assistant|human|tool)\s{0,4}\]/iu;
const TURN_TOKEN = /<[|｜][^|｜<>]{0,40}[|｜]>|<\/?s>|<(?:start|end)_of_turn>|\[\/?INST\]/iu;
/** A later line that begins like a turn of somebody, whoever it is. */
const LATER_TURN = /\n\s{0,8}(?:[-*>]\s{0,4})?\**[\p{L}\p{N}][\p{L}\p{N} ._'-]{0,31}\**\s{0,2}:\s/u;

/**
 * The part of an answer that is our own turn: a name of ours in front is taken off, and everything from the first invented
 * turn of somebody else on is cut. A person's name in front is how one speaks to them and becomes `name,`.
 */
export function ownTurn(text: string, ownNames: readonly string[], people: readonly string[]): string {
	let rest = text.trimStart();
	const own = alternatives([...ownNames, 'assistant']);
	const prefix = new RegExp(`^["'*_\\s]{0,4}(?:${own})["'*_]{0,3}\\s{0,2}:["'*_]{0,3}\\s*`, 'iu');
	for (let round = 0; round < 3 && prefix.test(rest); round += 1) rest = rest.replace(prefix, '');
	if (people.length > 0) {
		rest = rest.replace(new RegExp(`^(${alternatives(people)})\\s{0,2}:\\s*`, 'iu'), '$1, ');
	}
	const known = alternatives([...ownNames, ...people, ...ROLES]);
	const turn = new RegExp(`(?:^|\\n|[.!?…"”')]\\s)\\s{0,8}\\**(?:${known})(?: \\([^()]{1,12}\\))?\\**\\s{0,2}:`, 'iu');
	const cuts = [turn, LATER_TURN, BRACKET_ROLE, TURN_TOKEN].map((mark) => {
		const found = mark.exec(rest);
		return found === null ? rest.length : found.index + (/^[.!?…"”')]/u.test(found[0]) ? 1 : 0);
	});
	return rest.slice(0, Math.min(...cuts)).trim();
}

function alternatives(names: readonly string[]): string {
	const escaped = names
		.filter((name) => name.trim() !== '')
		.slice(0, 60)
		.sort((a, b) => b.length - a.length)
		.map((name) =>
			name
				.trim()
				.slice(0, 60)
				.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
		);
	return escaped.length === 0 ? '(?!)' : escaped.join('|');
}
