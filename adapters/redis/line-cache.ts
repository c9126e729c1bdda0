/**
 * Remembers what the lines of a list were parsed to. A list that is read every other second mostly holds the same lines
 * as before, and a line never changes. Only the newest reading of a list is kept, and only so many lists.
 */
export interface LineCache<T> {
	/** `parse` is asked for lines that the last reading of `list` had not; undefined leaves the line out. */
	read(list: string, lines: readonly string[], parse: (line: string) => T | undefined): T[];
}

export function createLineCache<T>(maxLists: number): LineCache<T> {
	const lists = new Map<string, Map<string, T>>();
	return {
		read(list, lines, parse) {
			const before = lists.get(list);
			const after = new Map<string, T>();
			const values: T[] = [];
			for (const line of lines) {
				const value = before?.get(line) ?? parse(line);
				if (value === undefined) continue;
				after.set(line, value);
				values.push(value);
			}
			lists.delete(list);
			lists.set(list, after);
			const oldest = lists.size > maxLists ? lists.keys().next() : undefined;
			if (oldest && !oldest.done) lists.delete(oldest.value);
			return values;
		},
	};
}
