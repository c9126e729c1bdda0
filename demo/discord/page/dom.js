/**
 * Builds an element. Strings become text nodes, so nothing a message says can turn into markup.
 * `on…` properties are listeners, `data` becomes data-attributes, the rest are properties or attributes.
 */
export function el(tag, props = {}, ...children) {
	const node = document.createElement(tag);
	for (const [name, value] of Object.entries(props)) {
		if (value === undefined || value === null || value === false) continue;
		if (name === 'class') node.className = value;
		else if (name === 'testid') node.dataset.testid = value;
		else if (name === 'data') Object.assign(node.dataset, value);
		else if (name === 'style') Object.assign(node.style, value);
		else if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
		else if (name in node && name !== 'list') node[name] = value;
		else node.setAttribute(name, String(value));
	}
	append(node, children);
	return node;
}

export function append(node, children) {
	for (const child of children.flat(5)) {
		if (child === undefined || child === null || child === false || child === '') continue;
		node.append(child instanceof Node ? child : document.createTextNode(String(child)));
	}
	return node;
}

export function replaceChildren(node, ...children) {
	node.replaceChildren();
	return append(node, children);
}

/** Only addresses that cannot run code. */
export function safeUrl(url) {
	return typeof url === 'string' && /^https?:\/\//i.test(url) ? url : undefined;
}

const palette = ['#5865f2', '#3ba55d', '#eb459e', '#f0883e', '#00a8fc', '#9b59b6', '#e67e22', '#1abc9c'];

export function colorOf(name) {
	let sum = 0;
	for (const char of name) sum = (sum * 31 + char.codePointAt(0)) >>> 0;
	return palette[sum % palette.length];
}

export function avatar(name, displayName, isBot = false) {
	const letter = [...(displayName || name || '?')][0].toUpperCase();
	return el(
		'span',
		{
			class: isBot ? 'avatar bot' : 'avatar',
			style: { background: isBot ? '#5865f2' : colorOf(name) },
			ariaHidden: 'true',
		},
		letter,
	);
}

export function toast(text, kind = 'error') {
	const node = el('div', { class: `toast ${kind}`, testid: 'toast' }, text);
	document.getElementById('toasts').append(node);
	setTimeout(() => node.remove(), 6000);
}

export function timeText(ms) {
	const date = new Date(ms);
	const isToday = date.toDateString() === new Date().toDateString();
	const time = date.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
	return isToday ? time : `${date.toLocaleDateString()} ${time}`;
}

export function sizeText(bytes) {
	if (bytes < 1024) return `${bytes} B`;
	if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)} KB`;
	return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

/** Reads a picked file into the form the control API takes. */
export async function readFile(file) {
	const bytes = new Uint8Array(await file.arrayBuffer());
	let binary = '';
	for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
	return { name: file.name, contentType: file.type || undefined, base64: btoa(binary) };
}
