import { isMap, isSeq, parseDocument } from 'yaml';

/** What setup decides; a dotted path and its value. */
export type Change = readonly [path: string, value: unknown];

const HEAD = [
	'# yaml-language-server: $schema=./majordomo.schema.json',
	'# Settings of Majordomo. Whatever is not here is as by default; majordomo.example.yaml explains every setting.',
	'# Secrets are not here: they are in .env.',
	'',
].join('\n');

/**
 * A settings text with these changes; comments and other settings stay. `room` replaces the room of the same id or is
 * added. `text` must be valid YAML or undefined.
 */
export function withChanges(
	text: string | undefined,
	changes: readonly Change[],
	room: Readonly<Record<string, unknown>> & { readonly id: string },
): string {
	const document = parseDocument(text ?? '{}');
	if (document.errors[0]) throw document.errors[0];
	// An empty file, or one of comments only, has no map to set anything in.
	const base = isMap(document.contents) ? document : parseDocument('{}');
	if (isMap(base.contents)) base.contents.flow = false;
	for (const [path, value] of changes) {
		const steps = path.split('.');
		// Taking something out of a part that is not there would be an error of the library.
		if (value === undefined && !base.hasIn(steps)) continue;
		if (value === undefined) base.deleteIn(steps);
		else base.setIn(steps, base.createNode(value));
	}
	const node = base.createNode(room);
	const rooms = base.get('rooms');
	if (isSeq(rooms)) {
		const index = rooms.items.findIndex((one) => isMap(one) && one.get('id') === room.id);
		if (index < 0) rooms.add(node);
		else rooms.items[index] = node;
	} else base.set('rooms', base.createNode([room]));
	const body = base.toString({ lineWidth: 110, defaultStringType: 'PLAIN' });
	return text === undefined ? `${HEAD}\n${body}` : body;
}
