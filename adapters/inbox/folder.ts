import { mkdir, open, realpath, rename, rm } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { factsPl, handoffJson, requirementsMarkdown } from '../../core/intake/handoff/files.ts';
import type { HandoffPacket } from '../../core/intake/handoff-packet.ts';
import { sha256 } from '../../core/intake/hash.ts';
import type { InboxSink } from '../../core/intake/inbox.ts';

/** Names that some file system takes for something else. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)$/;

/** Sub-folder of a packet: readable, the same for the same packet, and nothing but letters, digits, `_` and `-`. */
export function packetFolder({ id, body }: Pick<HandoffPacket, 'id' | 'body'>): string {
	const name = body.PROJECT_NAME.toLowerCase()
		.replace(/[^a-z0-9_-]+/g, '_')
		.slice(0, 40);
	return `${RESERVED.test(name) || name === '' ? `project_${name}` : name}-${sha256(id).slice(0, 12)}`;
}

/** Writes requirements.md, handoff.json and facts.pl under the folder; a second time writes the same over them. */
export function createFolderSink(settings: { readonly name: string; readonly path: string }): InboxSink {
	return {
		name: settings.name,
		async deliver(packet) {
			try {
				await mkdir(settings.path, { recursive: true, mode: 0o700 });
				const base = await realpath(settings.path);
				const folder = join(base, packetFolder(packet));
				await mkdir(folder, { recursive: true, mode: 0o700 });
				// A link that somebody put there must not lead us out.
				if (!isWithin(base, await realpath(folder)))
					return { ok: false, permanent: true, problem: 'the sub-folder leads out of the folder' };
				for (const [name, text] of [
					['requirements.md', requirementsMarkdown(packet)],
					['facts.pl', factsPl(packet)],
					['handoff.json', handoffJson(packet)],
				] as const)
					await writeWhole(folder, name, text);
				return { ok: true };
			} catch (error) {
				const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
				return { ok: false, permanent: false, problem: `it cannot be written (${code})` };
			}
		},
	};
}

function isWithin(base: string, path: string): boolean {
	const way = relative(base, resolve(path));
	return way !== '' && !way.startsWith('..') && !isAbsolute(way);
}

/** Whoever reads sees the whole file or none. */
async function writeWhole(folder: string, name: string, text: string): Promise<void> {
	const draft = join(folder, `.${name}.${process.pid}.tmp`);
	await rm(draft, { force: true });
	const file = await open(draft, 'wx', 0o600);
	try {
		await file.writeFile(text, 'utf8');
		await file.sync();
	} finally {
		await file.close();
	}
	await rename(draft, join(folder, name));
}
