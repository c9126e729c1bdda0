import type { APIAttachment, APIEmbed } from 'discord-api-types/v10';
import { refusal } from '../discord-error.ts';
import type { World } from '../state/world.ts';
import type { MessageBody, UploadedFile } from './message-body.ts';

/** Discord's limit for one file without boosts. */
const maxFileBytes = 10 * 1024 * 1024;

const typeByExtension: Record<string, string> = {
	txt: 'text/plain; charset=utf-8',
	md: 'text/markdown; charset=utf-8',
	json: 'application/json',
	pl: 'text/plain; charset=utf-8',
	csv: 'text/csv; charset=utf-8',
	png: 'image/png',
	jpg: 'image/jpeg',
	jpeg: 'image/jpeg',
	gif: 'image/gif',
	webp: 'image/webp',
	pdf: 'application/pdf',
};

/** Stores one upload and returns it as an attachment whose url this server answers. Throws 40005 when too large. */
export function storeFile(world: World, channelId: string, file: UploadedFile, description?: string): APIAttachment {
	if (file.bytes.byteLength > maxFileBytes) throw refusal('entityTooLarge');
	const id = world.nextId();
	const name = file.name.replace(/[^\w.-]+/g, '_').slice(-100) || 'file';
	const extension = name.split('.').at(-1)?.toLowerCase() ?? '';
	const known = file.contentType !== '' && file.contentType !== 'application/octet-stream';
	const contentType = known ? file.contentType : (typeByExtension[extension] ?? 'application/octet-stream');
	world.files.set(id, { id, channelId, name, contentType, bytes: file.bytes });
	const url = `${world.origin}/attachments/${channelId}/${id}/${encodeURIComponent(name)}`;
	return {
		id,
		filename: name,
		size: file.bytes.byteLength,
		url,
		proxy_url: url,
		content_type: contentType,
		...(description === undefined ? {} : { description }),
	};
}

/** The attachments a message has after a create (`kept` empty) or an edit (`attachments` lists those to keep). */
export function mergeAttachments(
	world: World,
	channelId: string,
	body: MessageBody,
	kept: readonly APIAttachment[],
): APIAttachment[] {
	const listed = body.attachments ?? undefined;
	const remaining = listed === undefined ? kept : kept.filter((one) => listed.some((two) => String(two.id) === one.id));
	const added = body.files.map((file) => {
		const described = listed?.find((one) => String(one.id) === String(file.index));
		const name = described?.filename ?? file.name;
		return storeFile(world, channelId, { ...file, name }, described?.description ?? undefined);
	});
	return [...remaining, ...added];
}

/** Rich embeds as Discord returns them: typed, `attachment://` addresses resolved, times normalised. */
export function settleEmbeds(embeds: readonly APIEmbed[], attachments: readonly APIAttachment[]): APIEmbed[] {
	const resolve = <T extends { url?: string }>(media: T | undefined): T | undefined => {
		const name = media?.url?.match(/^attachment:\/\/(.+)$/)?.[1];
		if (media === undefined || name === undefined) return media;
		const file = attachments.find((one) => one.filename === name);
		return file === undefined ? media : { ...media, url: file.url, proxy_url: file.proxy_url };
	};
	return embeds.map((embed) => {
		const settled = { ...embed, type: 'rich', image: resolve(embed.image), thumbnail: resolve(embed.thumbnail) };
		if (typeof embed.timestamp === 'string') settled.timestamp = new Date(embed.timestamp).toISOString();
		return JSON.parse(JSON.stringify(settled)) as APIEmbed;
	});
}
