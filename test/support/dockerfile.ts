/** One instruction of a Dockerfile: its word, flags such as `--from=build`, and the rest as text. */
export interface Instruction {
	readonly word: string;
	readonly flags: Readonly<Record<string, string>>;
	readonly rest: string;
}

export interface Stage {
	readonly from: string;
	readonly name: string | undefined;
	readonly instructions: readonly Instruction[];
}

/** Stages of a Dockerfile; continued lines are joined, comments left out. */
export function readDockerfile(text: string): Stage[] {
	const lines = text
		.split('\n')
		.filter((line) => !/^\s*#/.test(line))
		.join('\n')
		.replace(/\\\n/g, ' ')
		.split('\n')
		.map((line) => line.trim())
		.filter((line) => line !== '');
	const stages: { from: string; name: string | undefined; instructions: Instruction[] }[] = [];
	for (const line of lines) {
		const [, word = '', tail = ''] = /^(\S+)\s+(.*)$/.exec(line) ?? [];
		if (word.toUpperCase() === 'FROM') {
			const [from = '', , name] = tail.split(/\s+/);
			stages.push({ from, name, instructions: [] });
			continue;
		}
		const flags: Record<string, string> = {};
		const rest = tail.replace(/^(?:--([\w-]+)=(\S+)\s+)+/, (found) => {
			for (const [, key = '', value = ''] of found.matchAll(/--([\w-]+)=(\S+)/g)) flags[key] = value;
			return '';
		});
		stages.at(-1)?.instructions.push({ word: word.toUpperCase(), flags, rest });
	}
	return stages;
}

/** Words of `CMD ["node", "main.js"]` and its like. */
export function execForm(rest: string): string[] {
	return JSON.parse(rest.slice(rest.indexOf('['))) as string[];
}
