/** A value holds both kinds of quotes or a line break, and no way of writing it is read alike everywhere. */
export class UnwritableValue extends Error {
	override readonly name = 'UnwritableValue';
	readonly code = 'env_value';

	constructor(name: string) {
		super(`${name} cannot be written to .env: it holds a line break or both kinds of quotes`);
	}
}

/** Values as Node's --env-file, Docker Compose and shells all read them. */
function quoted(name: string, value: string): string {
	if (/^[\w.:/@+=,%-]*$/.test(value)) return value;
	if (/[\r\n]/.test(value)) throw new UnwritableValue(name);
	if (!value.includes("'")) return `'${value}'`;
	if (!/["$\\`]/.test(value)) return `"${value}"`;
	throw new UnwritableValue(name);
}

/**
 * An .env text with these variables set; other lines and comments stay. `template` is what a new file begins as.
 * @throws {UnwritableValue}
 */
export function withVariables(
	text: string | undefined,
	template: string,
	values: Readonly<Record<string, string>>,
): string {
	let result = text ?? template;
	for (const [name, value] of Object.entries(values)) {
		const line = `${name}=${quoted(name, value)}`;
		const present = new RegExp(`^[ \\t]*(?:export[ \\t]+)?${name}[ \\t]*=.*$`, 'gm');
		if (present.test(result)) result = result.replace(present, () => line);
		else result = `${result}${result === '' || result.endsWith('\n') ? '' : '\n'}${line}\n`;
	}
	return result;
}
