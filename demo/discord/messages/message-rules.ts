import { type APIEmbed, MessageFlags } from 'discord-api-types/v10';
import { invalidForm, refusal } from '../discord-error.ts';
import { isSnowflake } from '../state/snowflakes.ts';
import { checkMessageComponents } from './component-rules.ts';
import { checkAllowedMentions } from './mentions.ts';
import type { MessageBody } from './message-body.ts';

const maxContent = 2000;
const maxEmbeds = 10;
const maxFiles = 10;

function tooLong(path: string, limit: number): never {
	throw invalidForm(path, 'BASE_TYPE_MAX_LENGTH', `Must be ${limit} or fewer in length.`);
}

function checkText(path: string, value: unknown, limit: number, required = false): number {
	if (value === undefined || value === null || value === '') {
		if (required) throw invalidForm(path, 'BASE_TYPE_REQUIRED', 'This field is required');
		return 0;
	}
	if (typeof value !== 'string') throw invalidForm(path, 'BASE_TYPE_CONVERT', 'Could not interpret value as string.');
	const length = [...value].length;
	if (length > limit) tooLong(path, limit);
	return length;
}

function checkUrl(path: string, value: unknown): void {
	if (value === undefined || value === null) return;
	if (typeof value !== 'string' || !/^(https?|attachment):\/\//.test(value)) {
		throw invalidForm(path, 'URL_TYPE_INVALID_URL', 'Not a well formed URL.');
	}
}

function checkEmbed(embed: APIEmbed, path: string): number {
	let total = checkText(`${path}.title`, embed.title, 256);
	total += checkText(`${path}.description`, embed.description, 4096);
	total += checkText(`${path}.footer.text`, embed.footer?.text, 2048);
	total += checkText(`${path}.author.name`, embed.author?.name, 256);
	checkUrl(`${path}.url`, embed.url);
	checkUrl(`${path}.image.url`, embed.image?.url);
	checkUrl(`${path}.thumbnail.url`, embed.thumbnail?.url);
	if (embed.color !== undefined && embed.color !== null && !(embed.color >= 0 && embed.color <= 0xffffff)) {
		throw invalidForm(`${path}.color`, 'NUMBER_TYPE_MAX', 'int value should be less than or equal to 16777215.');
	}
	if (embed.timestamp !== undefined && embed.timestamp !== null && Number.isNaN(Date.parse(embed.timestamp))) {
		throw invalidForm(`${path}.timestamp`, 'DATE_TIME_TYPE_PARSE', 'Could not parse the timestamp.');
	}
	const fields = embed.fields ?? [];
	if (fields.length > 25) tooLong(`${path}.fields`, 25);
	for (const [index, field] of fields.entries()) {
		total += checkText(`${path}.fields.${index}.name`, field.name, 256, true);
		total += checkText(`${path}.fields.${index}.value`, field.value, 1024, true);
	}
	return total;
}

/** Throws Discord's 50035 for anything malformed. Emptiness is judged separately, once files and edits are merged. */
export function checkMessageBody(body: MessageBody): void {
	checkText('content', body.content, maxContent);
	if (body.embeds !== undefined && body.embeds !== null) {
		if (!Array.isArray(body.embeds)) throw invalidForm('embeds', 'LIST_TYPE_CONVERT', 'Only iterables may be used.');
		if (body.embeds.length > maxEmbeds) tooLong('embeds', maxEmbeds);
		const total = body.embeds.reduce((sum, embed, index) => sum + checkEmbed(embed, `embeds.${index}`), 0);
		if (total > 6000) {
			throw invalidForm('embeds', 'MAX_EMBED_SIZE_EXCEEDED', 'Embed size exceeds maximum size of 6000');
		}
	}
	if (body.nonce !== undefined && body.nonce !== null && String(body.nonce).length > 25) tooLong('nonce', 25);
	if (body.files.length > maxFiles) tooLong('files', maxFiles);
	checkAllowedMentions(body.allowed_mentions ?? undefined);
	const usesV2 = ((body.flags ?? 0) & MessageFlags.IsComponentsV2) !== 0;
	if (usesV2 && ((body.content ?? '') !== '' || (body.embeds ?? []).length > 0)) {
		throw invalidForm(
			(body.content ?? '') === '' ? 'embeds' : 'content',
			'MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2',
			'The field cannot be used when using MessageFlags.IS_COMPONENTS_V2',
		);
	}
	checkMessageComponents(body.components ?? [], usesV2);
	const reference = body.message_reference;
	if (reference !== undefined && reference !== null && !isSnowflake(reference.message_id)) {
		throw invalidForm('message_reference.message_id', 'NUMBER_TYPE_COERCE', 'Value is not snowflake.');
	}
}

/** Throws 50006 when nothing would be visible. */
export function demandSubstance(parts: {
	content: string;
	embeds: readonly unknown[];
	components: readonly unknown[];
	attachments: readonly unknown[];
}): void {
	if (parts.content.trim() !== '') return;
	if (parts.embeds.length + parts.components.length + parts.attachments.length === 0) throw refusal('emptyMessage');
}
