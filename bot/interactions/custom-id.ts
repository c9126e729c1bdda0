/** What a button or select stands for. Its state is in the stores, so it works after restarts and in any process. */
export interface CustomId {
	readonly area: string;
	readonly action: string;
	/** Usually a room id. */
	readonly target: string;
}

/** `v1:area:action:target`, within Discord's 100 characters. */
export function formatCustomId({ area, action, target }: CustomId): string {
	const id = `v1:${area}:${action}:${target}`;
	if (id.length > 100) throw new RangeError(`custom id too long: ${id.length}`);
	return id;
}

/** Undefined for anything that this version did not make. */
export function parseCustomId(text: string): CustomId | undefined {
	const found = /^v1:([a-z]+):([a-z-]+):([a-z0-9_-]{1,80})$/.exec(text);
	if (found === null) return undefined;
	const [, area = '', action = '', target = ''] = found;
	return { area, action, target };
}
