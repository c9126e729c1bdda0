import { el, safeUrl } from './dom.js';
import { markdown } from './markdown.js';
import { interact, naming, store } from './store.js';

const styleNames = { 1: 'primary', 2: 'secondary', 3: 'success', 4: 'danger', 5: 'link-button', 6: 'primary' };

async function use(message, name, input, control) {
	control.disabled = true;
	control.classList.add('busy');
	store.failures.delete(message.id);
	const report = (why) => {
		if (why === '') return;
		store.failures.set(message.id, why);
		store.draw('messages');
	};
	await interact(name, { message: message.id, ...input }, report);
	control.disabled = false;
	control.classList.remove('busy');
}

function drawButton(message, component) {
	const label = [component.emoji?.name, component.label].filter(Boolean).join(' ');
	if (component.style === 5) {
		return el(
			'a',
			{
				class: 'button link-button',
				href: safeUrl(component.url),
				target: '_blank',
				rel: 'noopener noreferrer',
				testid: 'link-button',
			},
			label,
			' ↗',
		);
	}
	const node = el(
		'button',
		{
			type: 'button',
			class: `button ${styleNames[component.style] ?? 'secondary'}`,
			disabled: component.disabled === true,
			testid: `button-${component.custom_id}`,
			onclick: () => use(message, 'button', { button: component.custom_id }, node),
		},
		label,
	);
	return node;
}

/** What a select offers: its own options, or the people, roles and channels of the house. */
export function optionsOf(component) {
	const people = store.house.people.map((one) => ({ value: one.id, label: one.displayName }));
	const bots = store.house.bots.map((one) => ({ value: one.applicationId, label: one.name }));
	const roles = store.house.roles.map((one) => ({ value: one.id, label: one.name }));
	const channels = store.house.channels
		.filter((one) => one.kind !== 'category')
		.map((one) => ({ value: one.id, label: `#${one.name}` }));
	const byType = { 5: [...people, ...bots], 6: roles, 7: [...people, ...bots, ...roles], 8: channels };
	return byType[component.type] ?? component.options ?? [];
}

function drawSelect(message, component) {
	const options = optionsOf(component);
	const most = component.max_values ?? 1;
	const least = component.min_values ?? 1;
	const testid = `select-${component.custom_id}`;
	const placeholder = component.placeholder ?? 'Make a selection';
	if (most === 1 && least === 1) {
		const node = el(
			'select',
			{
				class: 'select',
				testid,
				ariaLabel: placeholder,
				disabled: component.disabled === true,
				onchange: () => use(message, 'select', { select: component.custom_id, values: [node.value] }, node),
			},
			el('option', { value: '', disabled: true, selected: !options.some((one) => one.default) }, placeholder),
			options.map((one) =>
				el('option', { value: one.value, selected: one.default === true, title: one.description }, one.label),
			),
		);
		return node;
	}
	const boxes = options.map((one) => {
		const input = el('input', { type: 'checkbox', value: one.value, checked: one.default === true });
		return {
			input,
			row: el(
				'label',
				{ class: 'choice' },
				input,
				el('span', {}, one.label, one.description && el('small', {}, one.description)),
			),
		};
	});
	const send = el(
		'button',
		{
			type: 'button',
			class: 'button primary',
			testid: `${testid}-send`,
			onclick: () => {
				const values = boxes.filter((one) => one.input.checked).map((one) => one.input.value);
				use(message, 'select', { select: component.custom_id, values }, send);
			},
		},
		'Choose',
	);
	return el(
		'details',
		{ class: 'multi-select', testid },
		el('summary', {}, `${placeholder} (${least}–${most})`),
		boxes.map((one) => one.row),
		!component.disabled && send,
	);
}

function drawMedia(url) {
	const href = safeUrl(url);
	if (href === undefined) return undefined;
	return el('img', { src: href, class: 'attached-image', alt: '' });
}

function drawBlock(message, component) {
	switch (component.type) {
		case 1:
			return el(
				'div',
				{ class: 'row' },
				component.components.map((one) => drawBlock(message, one)),
			);
		case 2:
			return drawButton(message, component);
		case 3:
		case 5:
		case 6:
		case 7:
		case 8:
			return drawSelect(message, component);
		case 9:
			return el(
				'div',
				{ class: 'section' },
				el(
					'div',
					{},
					component.components.map((one) => drawBlock(message, one)),
				),
				drawBlock(message, component.accessory),
			);
		case 10:
			return el('div', { class: 'text' }, markdown(component.content, naming));
		case 11:
			return drawMedia(component.media?.url);
		case 12:
			return el(
				'div',
				{ class: 'row' },
				(component.items ?? []).map((one) => drawMedia(one.media?.url)),
			);
		case 13:
			return el('span', { class: 'hint' }, component.file?.url);
		case 14:
			return el('hr', { class: component.divider === false ? 'invisible' : '' });
		case 17: {
			const color = Number.isInteger(component.accent_color)
				? `#${component.accent_color.toString(16).padStart(6, '0')}`
				: '#4e5058';
			return el(
				'div',
				{ class: 'embed container', style: { borderLeftColor: color } },
				component.components.map((one) => drawBlock(message, one)),
			);
		}
		default:
			return undefined;
	}
}

export function drawComponents(message) {
	if (message.components.length === 0) return undefined;
	return el(
		'div',
		{ class: 'components' },
		message.components.map((one) => drawBlock(message, one)),
	);
}
