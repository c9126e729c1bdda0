import { readFileSync } from 'node:fs';

const folder = new URL('./page/', import.meta.url);

const types: Readonly<Record<string, string>> = {
	html: 'text/html; charset=utf-8',
	css: 'text/css; charset=utf-8',
	js: 'text/javascript; charset=utf-8',
};

const escapes: Readonly<Record<string, string>> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

/** Text as it may stand in HTML, in attributes too. */
function escapeHtml(text: string): string {
	return text.replace(/[&<>"']/g, (character) => escapes[character]!);
}

export interface PageFile {
	readonly text: string;
	readonly type: string;
}

/** One of our own pages or its parts, read once at the start. */
export function readPageFile(name: string): PageFile {
	const type = types[name.split('.').at(-1)!] ?? 'text/plain; charset=utf-8';
	return { text: readFileSync(new URL(name, folder), 'utf8'), type };
}

/** A page with `{{name}}` filled in, escaped. */
export function fillPage(page: PageFile, values: Readonly<Record<string, string>>): string {
	return page.text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => escapeHtml(values[name] ?? ''));
}
