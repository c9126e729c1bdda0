import type { WorldView } from '../overseer/world.ts';
import type { ToolFamily } from '../tooling/tool-name.ts';
import { statements } from './claims.ts';

/** Words that put a deed into the past or into somebody's story, where the house may have moved on since. */
const BACK_THEN =
	/(?<!\p{L})(?:earlier|before|ago|then|first|once|last|yesterday|and you|vorhin|gerade eben|zuerst|dann)(?!\p{L})/u;
const ALL = '(?:all|every|each|both)(?: of)?(?: the)? (?:lights?|lamps?)';
const SWITCHED = '(?:turned|switched|flicked|flipped|shut)';

/**
 * The family of a deed that a line claims for itself although the house shows the opposite: a lamp called by its name, or all
 * of them, said to be switched the other way than it stands, or simply to be so; or a lift at rest at the wrong end. That something of the kind
 * was really done a moment ago makes such a line no truer. Undefined where the house contradicts nothing.
 */
export function contradicted(line: string, world: WorldView): ToolFamily | undefined {
	if (!world.homeReady) return undefined;
	const said = statements(line).filter((statement) => !BACK_THEN.test(statement));
	const told = said.filter((statement) => /(?<!\p{L})(?:i|ive|we|weve)(?!\p{L})/u.test(statement));
	const lamps = world.lights.filter(
		({ available, state, label }) => available && (state === 'on' || state === 'off') && plain(label) !== '',
	);
	for (const { label, state } of lamps)
		for (const statement of said) {
			const stands = [ALL, `(?:the )?${escaped(label)}(?: (?:lamp|light))?`].map((thing) =>
				statedState(statement, thing),
			);
			if (stands.some((stated) => stated !== undefined && stated !== state)) return 'light';
		}
	for (const statement of told) {
		for (const { label, state } of lamps) {
			const named = claimedState(statement, `(?:the )?${escaped(label)}(?: (?:lamp|light))?`);
			const all = claimedState(statement, ALL);
			if ([named, all].some((claimed) => claimed !== undefined && claimed !== state)) return 'light';
		}
		const end = /(?<!\p{L})(raised|lowered) the lift(?!\p{L})/u.exec(statement)?.[1];
		if (end === 'raised' && world.lift?.available && world.lift.position === 'down' && !world.lift.busy) return 'lift';
		if (end === 'lowered' && world.lift?.available && world.lift.position === 'up' && !world.lift.busy) return 'lift';
	}
	return undefined;
}

function claimedState(statement: string, thing: string): 'on' | 'off' | undefined {
	const after = new RegExp(`(?<!\\p{L})${SWITCHED} ${thing} (on|off)(?!\\p{L})`, 'u').exec(statement)?.[1];
	const before = new RegExp(`(?<!\\p{L})${SWITCHED} (on|off) ${thing}(?![\\p{L}\\p{N}])`, 'u').exec(statement)?.[1];
	const found = after ?? before;
	return found === 'on' || found === 'off' ? found : undefined;
}

function escaped(label: string): string {
	return plain(label).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function plain(label: string): string {
	return label
		.normalize('NFKC')
		.toLowerCase()
		.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
		.trim();
}

/** A whole statement that something is on or off, and says nothing else. */
function statedState(statement: string, thing: string): 'on' | 'off' | undefined {
	const found = new RegExp(`^(?:ok |okay |and |now )*${thing} (?:is|are)(?: now| all)? (on|off)(?: now)?$`, 'u').exec(
		statement,
	)?.[1];
	return found === 'on' || found === 'off' ? found : undefined;
}
