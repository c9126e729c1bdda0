import { isToolName, type ToolName } from '../../tooling/tool-name.ts';

/** The tool that a model means: other case, a blank or hyphen for the underscore, camel case, a prefix. Never a guess. */
export function toolWord(raw: string): ToolName | undefined {
	const bare = raw
		.trim()
		.slice(0, 120)
		.replace(/\(\s*\)$/, '');
	const last = bare.split(/[.:/]/).at(-1) ?? bare;
	for (const text of [bare, last]) {
		const snake = text
			.trim()
			.replace(/([a-z0-9])([A-Z])/g, '$1_$2')
			.replace(/[\s-]+/g, '_')
			.toLowerCase();
		if (isToolName(snake)) return snake;
	}
	return undefined;
}
