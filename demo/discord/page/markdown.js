import { el, safeUrl } from './dom.js';

/** Discord's inline marks, tried in this order at every position. */
const inlineRules = [
	{ pattern: /^\\([*_~`|>\\#[\]()-])/, build: (m) => m[1] },
	{ pattern: /^``([\s\S]+?)``/, build: (m) => el('code', {}, m[1]) },
	{ pattern: /^`([^`]+)`/, build: (m) => el('code', {}, m[1]) },
	{ pattern: /^\*\*\*([\s\S]+?)\*\*\*/, build: (m, o) => el('strong', {}, el('em', {}, inline(m[1], o))) },
	{ pattern: /^\*\*([\s\S]+?)\*\*(?!\*)/, build: (m, o) => el('strong', {}, inline(m[1], o)) },
	{ pattern: /^__([\s\S]+?)__(?!_)/, build: (m, o) => el('u', {}, inline(m[1], o)) },
	{ pattern: /^\*(?!\s)([^*]+?)\*(?!\*)/, build: (m, o) => el('em', {}, inline(m[1], o)) },
	{ pattern: /^_(?!\s)([^_]+?)_(?![_\w])/, build: (m, o) => el('em', {}, inline(m[1], o)) },
	{ pattern: /^~~([\s\S]+?)~~/, build: (m, o) => el('s', {}, inline(m[1], o)) },
	{ pattern: /^\|\|([\s\S]+?)\|\|/, build: (m, o) => spoiler(inline(m[1], o)) },
	{ pattern: /^<@!?(\d+)>/, build: (m, o) => mention(`@${o.userName(m[1])}`, m[1] === o.selfId) },
	{ pattern: /^<@&(\d+)>/, build: (m, o) => mention(`@${o.roleName(m[1])}`) },
	{ pattern: /^<#(\d+)>/, build: (m, o) => channelLink(m[1], o) },
	{ pattern: /^<t:(-?\d{1,12})(?::([tTdDfFR]))?>/, build: (m) => timestamp(Number(m[1]), m[2]) },
	{ pattern: /^<a?:(\w+):\d+>/, build: (m) => `:${m[1]}:` },
	{ pattern: /^@(everyone|here)\b/, build: (m) => mention(m[0]) },
	{ pattern: /^\[([^\]]+)\]\((https?:\/\/[^\s)]+)\)/, build: (m, o) => link(m[2], inline(m[1], o)) },
	{ pattern: /^<(https?:\/\/[^\s>]+)>/, build: (m) => link(m[1], m[1]) },
	{ pattern: /^https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)]/, build: (m) => link(m[0], m[0]) },
];

function mention(text, isSelf = false) {
	return el('span', { class: isSelf ? 'mention self' : 'mention' }, text);
}

function channelLink(id, options) {
	return el(
		'button',
		{ type: 'button', class: 'mention', onclick: () => options.openChannel(id) },
		`#${options.channelName(id)}`,
	);
}

function link(url, content) {
	const href = safeUrl(url);
	return href === undefined ? content : el('a', { href, target: '_blank', rel: 'noopener noreferrer' }, content);
}

function spoiler(content) {
	const node = el('span', { class: 'spoiler', tabIndex: 0 }, content);
	node.addEventListener('click', () => node.classList.add('open'));
	return node;
}

const timeStyles = {
	t: { timeStyle: 'short' },
	T: { timeStyle: 'medium' },
	d: { dateStyle: 'short' },
	D: { dateStyle: 'long' },
	f: { dateStyle: 'long', timeStyle: 'short' },
	F: { dateStyle: 'full', timeStyle: 'short' },
};
const spans = [
	['year', 31_536_000],
	['month', 2_592_000],
	['day', 86_400],
	['hour', 3600],
	['minute', 60],
	['second', 1],
];

function timestamp(seconds, style = 'f') {
	const date = new Date(seconds * 1000);
	if (Number.isNaN(date.getTime())) return String(seconds);
	let text;
	if (style === 'R') {
		const delta = Math.round(seconds - Date.now() / 1000);
		const [unit, size] = spans.find(([, length]) => Math.abs(delta) >= length) ?? spans.at(-1);
		text = new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(Math.round(delta / size), unit);
	} else {
		text = new Intl.DateTimeFormat('en', timeStyles[style]).format(date);
	}
	return el('time', { class: 'stamp', title: date.toString() }, text);
}

/** Inline marks of one run of text, as nodes and strings. */
function inline(text, options) {
	const out = [];
	let plain = '';
	let rest = text;
	while (rest !== '') {
		let hit;
		// Most characters start nothing; only those that may are worth the patterns.
		if (/^[\\`*_~|<@[h]/.test(rest)) {
			for (const rule of inlineRules) {
				const match = rule.pattern.exec(rest);
				if (match !== null) {
					hit = { match, node: rule.build(match, options) };
					break;
				}
			}
		}
		if (hit === undefined) {
			const next = rest.slice(1).search(/[\\`*_~|<@[h]/);
			const length = next === -1 ? rest.length : next + 1;
			plain += rest.slice(0, length);
			rest = rest.slice(length);
			continue;
		}
		if (plain !== '') out.push(plain);
		plain = '';
		out.push(hit.node);
		rest = rest.slice(hit.match[0].length);
	}
	if (plain !== '') out.push(plain);
	return out;
}

function line(text, options) {
	const heading = /^(#{1,3}) (.+)$/.exec(text);
	if (heading !== null) return el(`h${heading[1].length + 2}`, { class: 'md-heading' }, inline(heading[2], options));
	const small = /^-# (.+)$/.exec(text);
	if (small !== null) return el('small', { class: 'md-small' }, inline(small[1], options));
	const item = /^(\s*)(?:[-*]|(\d+)\.) (.+)$/.exec(text);
	if (item !== null) {
		const bullet = item[2] === undefined ? '•' : `${item[2]}.`;
		const indent = { paddingLeft: `${0.6 + item[1].length * 0.5}em` };
		return el(
			'div',
			{ class: 'md-item', style: indent },
			el('span', { class: 'bullet' }, bullet),
			el('span', {}, inline(item[3], options)),
		);
	}
	const quote = /^> ?(.*)$/.exec(text);
	if (quote !== null) return el('blockquote', {}, inline(quote[1], options));
	return el('div', { class: 'md-line' }, text === '' ? el('br') : inline(text, options));
}

/**
 * Discord markdown as DOM nodes.
 * options: userName(id), roleName(id), channelName(id), openChannel(id), selfId.
 */
export function markdown(text, options) {
	const nodes = [];
	const fence = /```(?:([\w+-]+)?\n)?([\s\S]*?)```/g;
	let at = 0;
	const plain = (part) => {
		if (part === '') return;
		for (const one of part.replace(/^\n|\n$/g, '').split('\n')) nodes.push(line(one, options));
	};
	for (const match of text.matchAll(fence)) {
		plain(text.slice(at, match.index));
		nodes.push(el('pre', {}, el('code', { data: { language: match[1] ?? '' } }, match[2].replace(/\n$/, ''))));
		at = match.index + match[0].length;
	}
	plain(text.slice(at));
	return nodes;
}
