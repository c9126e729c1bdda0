import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { z } from 'zod';
import { BadBackup } from './errors.ts';
import { type StoredKey, storedKey } from './value.ts';

const FORMAT = 'majordomo-backup';
const VERSION = 1;

const headSchema = z.object({
	format: z.literal(FORMAT),
	version: z.number(),
	/** First part of every key in it. */
	prefix: z.string(),
	/** Version of the key layout. */
	schema: z.number(),
	/** Epoch ms at which it was begun, by the server's clock. */
	at: z.number(),
	/** Of the Redis it was made from. */
	server: z.string(),
});
const tailSchema = z.strictObject({ keys: z.number(), sha256: z.string() });

export type BackupHead = Omit<z.infer<typeof headSchema>, 'format' | 'version'>;

/**
 * Writes a backup: gzip of one JSON line for the head, one a key, and a last one with their count and checksum. The file
 * appears whole or not at all, readable for its owner only. Returns the number of keys.
 */
export async function writeBackupFile(path: string, head: BackupHead, keys: AsyncIterable<StoredKey>): Promise<number> {
	const unfinished = `${path}.${process.pid}.part`;
	const hash = createHash('sha256');
	let count = 0;
	async function* lines(): AsyncGenerator<string> {
		const line = (value: unknown) => {
			const text = `${JSON.stringify(value)}\n`;
			hash.update(text);
			return text;
		};
		yield line({ format: FORMAT, version: VERSION, ...head });
		for await (const key of keys) {
			count += 1;
			yield line(key);
		}
		yield `${JSON.stringify({ keys: count, sha256: hash.digest('hex') })}\n`;
	}
	try {
		await pipeline(Readable.from(lines()), createGzip(), createWriteStream(unfinished, { mode: 0o600, flags: 'wx' }));
		await rename(unfinished, path);
	} catch (error) {
		await rm(unfinished, { force: true });
		throw error;
	}
	return count;
}

/** Reads a whole backup and checks it; rejects with {@link BadBackup}, and with what the file system says. */
export async function checkBackupFile(path: string): Promise<{ head: BackupHead; keys: number }> {
	let head: BackupHead | undefined;
	let keys = 0;
	for await (const item of readBackupFile(path)) {
		if (item.kind === 'head') head = item.head;
		else keys += 1;
	}
	if (!head) throw new BadBackup(`${path} is empty`);
	return { head, keys };
}

type BackupItem =
	| { readonly kind: 'head'; readonly head: BackupHead }
	| { readonly kind: 'key'; readonly key: StoredKey };

/** Head, then keys, in order. The checksum is known only at the end: check the file first, then read it again. */
export async function* readBackupFile(path: string): AsyncGenerator<BackupItem> {
	const source = createReadStream(path);
	const unzipped = source.pipe(createGunzip());
	source.on('error', (error) => unzipped.destroy(error));
	const hash = createHash('sha256');
	let before: string | undefined;
	let number = 0;
	let keys = 0;
	try {
		for await (const line of createInterface({ input: unzipped, crlfDelay: Number.POSITIVE_INFINITY })) {
			if (before !== undefined) {
				number += 1;
				const item = itemOf(before, number, path);
				if (item.kind === 'key') keys += 1;
				hash.update(`${before}\n`);
				yield item;
			}
			before = line;
		}
	} catch (error) {
		const code = error instanceof Error && 'code' in error ? String(error.code) : '';
		if (/^(Z_|ERR_)|zlib/.test(code)) throw new BadBackup(`${path} is damaged or no backup (${code})`);
		throw error;
	} finally {
		source.destroy();
	}
	const tail = tailSchema.safeParse(parse(before ?? ''));
	if (number === 0 || !tail.success) throw new BadBackup(`${path} is cut off or no backup: its last line is missing`);
	if (tail.data.keys !== keys || tail.data.sha256 !== hash.digest('hex'))
		throw new BadBackup(`${path} is damaged: its checksum does not fit`);
}

function itemOf(line: string, number: number, path: string): BackupItem {
	if (number > 1) {
		const key = storedKey.safeParse(parse(line));
		if (!key.success) throw new BadBackup(`${path} is damaged: line ${number} holds no key`);
		return { kind: 'key', key: key.data };
	}
	const head = headSchema.safeParse(parse(line));
	if (!head.success) throw new BadBackup(`${path} is no backup of Majordomo`);
	if (head.data.version > VERSION)
		throw new BadBackup(
			`${path} was made by a newer Majordomo (format ${head.data.version}, this one reads ${VERSION})`,
		);
	return { kind: 'head', head: head.data };
}

function parse(line: string): unknown {
	try {
		return JSON.parse(line);
	} catch {
		return undefined;
	}
}
