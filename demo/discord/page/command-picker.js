import { call } from './api.js';
import { openCommandForm } from './command-form.js';
import { avatar, el, replaceChildren } from './dom.js';
import { attempt, store } from './store.js';

let shown = [];
let active = 0;
let generation = 0;

const node = () => document.getElementById('picker');

/** Every runnable form of a command: subcommands are entries of their own. */
function flatten(bot, command) {
	const entries = [];
	const walk = (one, path) => {
		const nested = (one.options ?? []).filter((option) => option.type === 1 || option.type === 2);
		if (nested.length === 0)
			entries.push({ bot, path: path.join(' '), description: one.description, options: one.options ?? [] });
		for (const option of nested) walk(option, [...path, option.name]);
	};
	walk(command, [command.name]);
	return entries;
}

/** Lists the commands that start with what was typed after the slash. */
export async function showPicker(typed) {
	const mine = ++generation;
	const all = (await attempt(() => call('commands', { as: store.as, channel: store.channelId }))) ?? [];
	if (mine !== generation) return;
	const wanted = typed.toLowerCase().trimEnd();
	const entries = all.filter((one) => one.command.type === 1).flatMap((one) => flatten(one.bot, one.command));
	const starts = entries.filter((one) => one.path.startsWith(wanted));
	shown = starts.length > 0 ? starts : entries.filter((one) => one.path.includes(wanted));
	active = 0;
	draw();
}

export function hidePicker() {
	generation += 1;
	shown = [];
	node().hidden = true;
}

function draw() {
	node().hidden = shown.length === 0;
	replaceChildren(
		node(),
		shown.map((entry, index) =>
			el(
				'button',
				{
					type: 'button',
					class: index === active ? 'pick active' : 'pick',
					testid: `pick-${entry.path.replaceAll(' ', '-')}`,
					onclick: () => choose(entry),
				},
				avatar(entry.bot, entry.bot, true),
				el(
					'span',
					{ class: 'pick-text' },
					el(
						'b',
						{},
						`/${entry.path}`,
						entry.options.map((one) => el('i', {}, ` ${one.name}`)),
					),
					el('small', {}, entry.description),
				),
				el('small', { class: 'hint' }, entry.bot),
			),
		),
	);
	node().querySelector('.active')?.scrollIntoView({ block: 'nearest' });
}

function choose(entry) {
	hidePicker();
	openCommandForm(entry);
}

/** Arrow keys, Enter and Tab while the list is open; true when the key was used. */
export function pickerKey(event) {
	if (shown.length === 0) return false;
	if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
		active = (active + (event.key === 'ArrowDown' ? 1 : shown.length - 1)) % shown.length;
		draw();
	} else if (event.key === 'Enter' || event.key === 'Tab') {
		choose(shown[active]);
	} else if (event.key === 'Escape') {
		hidePicker();
	} else {
		return false;
	}
	event.preventDefault();
	return true;
}
