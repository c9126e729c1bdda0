import type { APIActionRowComponent, APIComponentInMessageActionRow, APIEmbed } from 'discord.js';
import { CLOSED_MENTIONS } from '../relay/outgoing.ts';

/** What a person will see, as data. */
export interface View {
	readonly content?: string;
	readonly embeds?: readonly APIEmbed[];
	readonly components?: readonly APIActionRowComponent<APIComponentInMessageActionRow>[];
	readonly files?: readonly ViewFile[];
}

/** A text, or a picture with words for those who cannot see it. */
export type ViewFile =
	| { readonly name: string; readonly text: string }
	| { readonly name: string; readonly data: Uint8Array; readonly alt: string };

/** A message body for sends, edits and interaction answers alike: mentions closed, everything within Discord's limits. */
export function toPayload(view: View) {
	return {
		content: clip(view.content ?? '', 2_000),
		embeds: fitEmbeds(view.embeds ?? []),
		components: [...(view.components ?? [])],
		files: (view.files ?? []).map((file) =>
			'text' in file
				? { name: file.name, attachment: Buffer.from(file.text, 'utf8') }
				: { name: file.name, attachment: Buffer.from(file.data), description: clip(file.alt, 1_024) },
		),
		allowedMentions: CLOSED_MENTIONS,
	};
}

/** At most `max` UTF-16 units, no torn surrogate pair, an ellipsis where something is missing. */
export function clip(text: string, max: number): string {
	if (text.length <= max) return text;
	const cut = text.slice(0, max - 1);
	return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

/** Untrusted text in a block that it cannot leave. */
export function codeBlock(text: string, max: number): string {
	const safe = text.replaceAll('```', "'''").replace(/`$/, "'");
	return `\`\`\`\n${clip(safe === '' ? ' ' : safe, max - 8)}\n\`\`\``;
}

/** Untrusted text inside a line: one line, no mark-up that swallows what follows. */
export function inline(text: string, max = 200): string {
	return clip(text.replace(/\s+/g, ' ').replace(/([\\*_~`|<>[\]])/g, '\\$1'), max);
}

/** Untrusted text as code within a line, where escapes would show. */
export function inlineCode(text: string, max = 200): string {
	const line = text.replace(/\s+/g, ' ').replaceAll('`', "'").trim();
	return `\`${clip(line === '' ? '–' : line, max)}\``;
}

const TOTAL = 6_000;

/** Shortens embeds to Discord's limits; the last fields go first when all together is too long. */
export function fitEmbeds(embeds: readonly APIEmbed[]): APIEmbed[] {
	let left = TOTAL;
	return embeds.slice(0, 10).map((embed) => {
		const title = clip(embed.title ?? '', Math.min(256, left));
		left -= title.length;
		const footer = clip(embed.footer?.text ?? '', Math.min(2_048, 300, left));
		left -= footer.length;
		const description = clip(embed.description ?? '', Math.min(4_096, left));
		left -= description.length;
		const fields = (embed.fields ?? []).slice(0, 25).flatMap((field) => {
			const name = clip(field.name === '' ? '\u200b' : field.name, 256);
			const value = clip(field.value === '' ? '–' : field.value, 1_024);
			if (name.length + value.length > left) return [];
			left -= name.length + value.length;
			return [{ ...field, name, value }];
		});
		return {
			...embed,
			fields,
			...(title === '' ? {} : { title }),
			...(description === '' ? {} : { description }),
			...(footer === '' ? {} : { footer: { text: footer } }),
		};
	});
}
