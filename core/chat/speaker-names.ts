import type { NumberedMessage } from './message.ts';
import { promptName } from './sanitise.ts';

/** What a prompt calls the author of each line, by author id: two of one name are told apart, the first keeps it. */
export function speakerNames(lines: readonly NumberedMessage[], own: readonly string[]): Map<string, string> {
	const names = new Map<string, string>();
	const taken = new Map<string, number>();
	for (const { author, bot, source } of lines) {
		if (names.has(author.id)) continue;
		// Our other voices carry our name by right; nobody on Discord does.
		const name = promptName(author.name, bot && source !== 'discord' ? [] : own);
		const count = (taken.get(name.toLowerCase()) ?? 0) + 1;
		taken.set(name.toLowerCase(), count);
		names.set(author.id, count === 1 ? name : `${name} (${count})`);
	}
	return names;
}
