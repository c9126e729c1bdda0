/** Spelling without case and separators, so that `guild_id` and `GuildID` are both `guildId`. */
const plain = (name: string) => name.toLowerCase().replace(/[-_ ]/g, '');

/** Optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours cost 1. */
function editDistance(from: string, to: string): number {
	let before: number[] = [];
	let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
	for (let row = 1; row <= from.length; row++) {
		const current = [row];
		for (let column = 1; column <= to.length; column++) {
			const cost = from[row - 1] === to[column - 1] ? 0 : 1;
			let best = Math.min(current[column - 1]! + 1, previous[column]! + 1, previous[column - 1]! + cost);
			if (row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1])
				best = Math.min(best, before[column - 2]! + 1);
			current.push(best);
		}
		before = previous;
		previous = current;
	}
	return previous[to.length]!;
}

/** The name that was probably meant: nearest by spelling and near enough for its length, else undefined. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
	const wanted = plain(name).slice(0, 64);
	if (wanted === '') return undefined;
	const allowed = Math.max(1, Math.floor(wanted.length / 3));
	let best: { name: string; distance: number } | undefined;
	for (const candidate of known) {
		const distance = editDistance(wanted, plain(candidate));
		if (distance <= allowed && (best === undefined || distance < best.distance)) best = { name: candidate, distance };
	}
	return best?.name;
}
