/** Looks names up; undefined when the id is not known here. */
export interface Names {
	user(id: string): string | undefined;
	role(id: string): string | undefined;
	channel(id: string): string | undefined;
}

/** Discord's mark-up for people, roles, channels, emoji and commands as words. Names stay untrusted text. */
export function readableText(content: string, names: Names): string {
	return content
		.replace(/<@!?(\d{17,20})>/g, (_, id: string) => `@${names.user(id) ?? 'someone'}`)
		.replace(/<@&(\d{17,20})>/g, (_, id: string) => `@${names.role(id) ?? 'some role'}`)
		.replace(/<#(\d{17,20})>/g, (_, id: string) => `#${names.channel(id) ?? 'some channel'}`)
		.replace(/<a?:(\w{1,32}):\d{17,20}>/g, ':$1:')
		.replace(/<\/([^:>]{1,100}):\d{17,20}>/g, '/$1');
}

/** Ids mentioned in the text itself; a reply's automatic ping is not in it. */
export function mentionedIds(content: string): { users: string[]; roles: string[] } {
	const find = (pattern: RegExp) => [...new Set([...content.matchAll(pattern)].map((found) => found[1] ?? ''))];
	return { users: find(/<@!?(\d{17,20})>/g), roles: find(/<@&(\d{17,20})>/g) };
}
