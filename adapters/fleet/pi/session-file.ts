import { open, realpath } from 'node:fs/promises';
import { z } from 'zod';

const header = z.looseObject({ type: z.literal('session'), id: z.string().min(1), cwd: z.string() });

export interface PiSessionFile {
	readonly path: string;
	/** pi's own id of the session. */
	readonly nativeId: string;
	readonly directory: string;
}

const HEADER_MAX = 16_384;

/**
 * Reads the first line of a session file; undefined for anything that is none. pi itself would begin a new session under
 * the name of a file that is missing.
 */
export async function readSessionFile(path: string): Promise<PiSessionFile | undefined> {
	try {
		const real = await realpath(path);
		const file = await open(real, 'r');
		try {
			const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER_MAX), 0, HEADER_MAX, 0);
			const [line = ''] = buffer.subarray(0, bytesRead).toString('utf8').split('\n', 1);
			const read = header.safeParse(JSON.parse(line));
			return read.success ? { path: real, nativeId: read.data.id, directory: read.data.cwd } : undefined;
		} finally {
			await file.close();
		}
	} catch {
		return undefined;
	}
}
