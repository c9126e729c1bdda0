import { el, safeUrl, sizeText } from './dom.js';
import { markdown } from './markdown.js';

/** Pictures come from this server only; anything else is a link. */
function picture(url, className) {
	const href = safeUrl(url);
	if (href === undefined) return undefined;
	if (new URL(href).origin !== location.origin)
		return el('a', { href, target: '_blank', rel: 'noopener noreferrer' }, href);
	return el('img', { src: href, class: className, alt: '', loading: 'lazy' });
}

function drawEmbed(embed, naming) {
	const color = Number.isInteger(embed.color) ? `#${embed.color.toString(16).padStart(6, '0')}` : '#4e5058';
	const href = safeUrl(embed.url);
	const title = embed.title && markdown(embed.title, naming);
	return el(
		'article',
		{ class: 'embed', testid: 'embed', style: { borderLeftColor: color } },
		embed.thumbnail && el('div', { class: 'embed-thumbnail' }, picture(embed.thumbnail.url, '')),
		embed.author?.name && el('div', { class: 'embed-author' }, embed.author.name),
		title &&
			el(
				'div',
				{ class: 'embed-title' },
				href ? el('a', { href, target: '_blank', rel: 'noopener noreferrer' }, title) : title,
			),
		embed.description && el('div', { class: 'embed-description' }, markdown(embed.description, naming)),
		embed.fields?.length > 0 &&
			el(
				'div',
				{ class: 'embed-fields' },
				embed.fields.map((field) =>
					el(
						'div',
						{ class: field.inline ? 'embed-field inline' : 'embed-field' },
						el('b', {}, markdown(field.name, naming)),
						el('div', {}, markdown(field.value, naming)),
					),
				),
			),
		embed.image && picture(embed.image.url, 'embed-image'),
		(embed.footer?.text || embed.timestamp) &&
			el(
				'div',
				{ class: 'embed-footer' },
				[embed.footer?.text, embed.timestamp && new Date(embed.timestamp).toLocaleString()].filter(Boolean).join(' · '),
			),
	);
}

export function drawEmbeds(embeds, naming) {
	return embeds.map((one) => drawEmbed(one, naming));
}

export function drawAttachments(attachments) {
	return attachments.map((file) => {
		const href = safeUrl(file.url);
		if (/^image\/(png|jpeg|gif|webp)$/.test(file.contentType)) {
			return el(
				'a',
				{ href, target: '_blank', rel: 'noopener' },
				el('img', { src: href, class: 'attached-image', alt: file.name, testid: 'attached-image' }),
			);
		}
		return el(
			'a',
			{ class: 'file', href, download: file.name, testid: 'file' },
			el('span', { class: 'file-icon' }, '📄'),
			el('span', {}, el('b', {}, file.name), el('small', {}, sizeText(file.size))),
			el('span', { class: 'file-get' }, '↓'),
		);
	});
}
