import type { IntakeSettings } from '../../config/intake.ts';

/** A file on a message, as Discord describes it. */
export interface AttachedFile {
	readonly name: string;
	readonly contentType: string | null;
	readonly size: number;
	readonly url: string;
}

export type FileRefusal = 'tooBig' | 'notText' | 'notThere' | 'foreign';
export type ReadFile =
	| { readonly kind: 'text'; readonly text: string }
	| { readonly kind: 'declined'; readonly name: string; readonly why: FileRefusal };

/** Where Discord keeps what people attach. Nothing is ever fetched from anywhere else. */
const CDN_ORIGINS = ['https://cdn.discordapp.com', 'https://media.discordapp.net'];
const FETCH_MS = 8_000;
const textTypes =
	/^(?:text\/|application\/(?:json|yaml|x-yaml|toml|xml|sql|javascript|x-sh|[\w.-]+\+(?:json|xml|yaml))(?:;|$))/;
const textNames = /\.(?:txt|md|markdown|json|ya?ml|toml|csv|tsv|log|pl|sql|xml|html?|rst|adoc|org)$/i;

/** Origins that attachments may be fetched from. A Discord on this very machine, the rehearsal house, serves its own. */
export function attachmentOrigins(restUrl: string | undefined): readonly string[] {
	if (restUrl === undefined) return CDN_ORIGINS;
	const { hostname, origin } = new URL(restUrl);
	return ['127.0.0.1', 'localhost', '[::1]'].includes(hostname) ? [...CDN_ORIGINS, origin] : CDN_ORIGINS;
}

/** Judges a file by what Discord says of it; undefined: it may be fetched. */
export function refuseFile(
	file: AttachedFile,
	settings: Pick<IntakeSettings, 'maxAttachmentBytes'>,
	origins: readonly string[],
): FileRefusal | undefined {
	const isText = file.contentType === null ? textNames.test(file.name) : textTypes.test(file.contentType);
	if (!isText) return 'notText';
	if (file.size > settings.maxAttachmentBytes) return 'tooBig';
	const origin = URL.canParse(file.url) ? new URL(file.url).origin : '';
	return origins.includes(origin) ? undefined : 'foreign';
}

/** Reads a text file that is part of an answer, or says why not. Never rejects; follows no redirect. */
export async function readFile(
	file: AttachedFile,
	settings: Pick<IntakeSettings, 'maxAttachmentBytes'>,
	origins: readonly string[],
	get: typeof fetch = fetch,
): Promise<ReadFile> {
	const declined = (why: FileRefusal): ReadFile => ({ kind: 'declined', name: file.name, why });
	const refusal = refuseFile(file, settings, origins);
	if (refusal !== undefined) return declined(refusal);
	try {
		const response = await get(file.url, { redirect: 'error', signal: AbortSignal.timeout(FETCH_MS) });
		if (!response.ok || response.body === null) return declined('notThere');
		const bytes = await readAtMost(response.body, settings.maxAttachmentBytes);
		if (bytes === undefined) return declined('tooBig');
		const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
		return text.includes('\u0000') ? declined('notText') : { kind: 'text', text: text.trim() };
	} catch (error) {
		// `TypeError` of a decoder says that these bytes are no text; everything else that they did not come.
		return declined(error instanceof TypeError && /decod|encod/i.test(error.message) ? 'notText' : 'notThere');
	}
}

/** The whole body; undefined when it is longer, whatever its headers said. */
async function readAtMost(body: ReadableStream<Uint8Array>, max: number): Promise<Uint8Array | undefined> {
	const chunks: Uint8Array[] = [];
	let length = 0;
	for await (const chunk of body) {
		length += chunk.byteLength;
		if (length > max) return undefined;
		chunks.push(chunk);
	}
	return Buffer.concat(chunks);
}
