import { call } from './api.js';
import { optionsOf } from './component-view.js';
import { drawComposer } from './composer.js';
import { el, readFile, replaceChildren } from './dom.js';
import { interact, store } from './store.js';

const suggestAfterMs = 200;
/** Option types that pick from the house, as the select types with the same choices. */
const pickTypes = { 6: 5, 7: 8, 8: 6, 9: 7 };

function choicesField(option, choices) {
	return el(
		'select',
		{ class: 'option-input', testid: `option-${option.name}`, required: option.required === true },
		el('option', { value: '' }, option.required ? 'choose…' : '—'),
		choices.map((one) => el('option', { value: String(one.value) }, one.label ?? one.name)),
	);
}

function textField(entry, option, readAll) {
	const isNumber = option.type === 4 || option.type === 10;
	const input = el('input', {
		class: 'option-input',
		type: isNumber ? 'number' : 'text',
		step: option.type === 10 ? 'any' : undefined,
		testid: `option-${option.name}`,
		required: option.required === true,
		autocomplete: 'off',
		placeholder: option.description,
	});
	if (option.autocomplete !== true) return { node: input, read: () => input.value };
	const suggestions = el('div', { class: 'suggestions', testid: 'suggestions', hidden: true });
	let timer;
	let chosen;
	const ask = async () => {
		const { [option.name]: _own, ...others } = await readAll();
		const result = await call('autocomplete', {
			as: store.as,
			channel: store.channelId,
			command: entry.path,
			bot: entry.bot,
			focused: option.name,
			options: { ...others, [option.name]: input.value },
		}).catch(() => undefined);
		const choices = result?.choices ?? [];
		suggestions.hidden = choices.length === 0;
		replaceChildren(
			suggestions,
			choices.map((one) =>
				el(
					'button',
					{
						type: 'button',
						testid: 'suggestion',
						// The input keeps the focus, so that choosing does not ask again.
						onmousedown: (event) => event.preventDefault(),
						onclick: () => {
							input.value = one.name;
							chosen = one;
							suggestions.hidden = true;
						},
					},
					one.name,
				),
			),
		);
	};
	const askSoon = () => {
		chosen = undefined;
		clearTimeout(timer);
		timer = setTimeout(ask, suggestAfterMs);
	};
	input.addEventListener('input', askSoon);
	input.addEventListener('focus', askSoon);
	input.addEventListener('blur', () => setTimeout(() => (suggestions.hidden = true), 200));
	return {
		node: el('span', { class: 'with-suggestions' }, input, suggestions),
		read: () => (chosen?.name === input.value ? String(chosen.value) : input.value),
	};
}

function fieldFor(entry, option, readAll) {
	if (option.choices?.length > 0) {
		const node = choicesField(option, option.choices);
		return { node, read: () => node.value };
	}
	if (option.type === 5) {
		const node = choicesField(option, [
			{ name: 'true', value: 'true' },
			{ name: 'false', value: 'false' },
		]);
		return { node, read: () => node.value };
	}
	if (pickTypes[option.type] !== undefined) {
		const node = choicesField(option, optionsOf({ type: pickTypes[option.type] }));
		return { node, read: () => node.value };
	}
	if (option.type === 11) {
		const node = el('input', { type: 'file', testid: `option-${option.name}`, required: option.required === true });
		return { node, read: async () => (node.files[0] === undefined ? '' : readFile(node.files[0])) };
	}
	return textField(entry, option, readAll);
}

async function run(entry, options) {
	const pending = { label: entry.path, bot: entry.bot, channelId: store.channelId, failed: '' };
	store.pendingCommands.push(pending);
	store.draw('messages');
	await interact('command', { channel: pending.channelId, command: entry.path, bot: entry.bot, options }, (why) => {
		pending.failed = why;
	});
	if (pending.failed === '') store.pendingCommands = store.pendingCommands.filter((one) => one !== pending);
	store.draw('messages');
}

/** Turns the composer into a form with one field per option; a command without options is sent at once. */
export function openCommandForm(entry) {
	const fields = new Map();
	const readAll = async () => {
		const values = {};
		for (const [name, field] of fields) {
			const value = await field.read();
			if (value !== '') values[name] = value;
		}
		return values;
	};
	for (const option of entry.options) fields.set(option.name, fieldFor(entry, option, readAll));
	const onsubmit = async (event) => {
		event?.preventDefault();
		const options = await readAll();
		drawComposer(true);
		await run(entry, options);
	};
	if (entry.options.length === 0) {
		onsubmit();
		return;
	}
	const form = el(
		'form',
		{
			class: 'command-form',
			testid: 'command-form',
			onsubmit,
			onkeydown: (event) => {
				if (event.key === 'Escape') drawComposer(true);
			},
		},
		el('b', { class: 'command-name' }, `/${entry.path}`),
		entry.options.map((option) =>
			el(
				'label',
				{ class: 'option', title: option.description },
				el('span', { class: 'option-name' }, option.name, option.required && el('span', { class: 'required' }, ' *')),
				fields.get(option.name).node,
			),
		),
		el('button', { type: 'submit', class: 'button primary', testid: 'command-send' }, 'Send'),
		el('button', { type: 'button', class: 'icon-button', ariaLabel: 'Cancel', onclick: () => drawComposer(true) }, '✕'),
	);
	replaceChildren(document.getElementById('composer-area'), form);
	form.querySelector('input, select')?.focus();
}
