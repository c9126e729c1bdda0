import { call } from './api.js';
import { optionsOf } from './component-view.js';
import { el, readFile } from './dom.js';
import { markdown } from './markdown.js';
import { naming, store } from './store.js';

/** One input of a modal: the node to show and how to read its value. */
function inputFor(field) {
	const testid = `field-${field.custom_id}`;
	const isRequired = field.required !== false;
	if (field.type === 4) {
		const shared = {
			testid,
			class: 'text-input',
			value: field.value ?? '',
			placeholder: field.placeholder ?? '',
			required: isRequired,
			minLength: field.min_length ?? -1,
			maxLength: field.max_length ?? 4000,
		};
		if (shared.minLength < 0) delete shared.minLength;
		const node = field.style === 2 ? el('textarea', { ...shared, rows: 4 }) : el('input', { type: 'text', ...shared });
		return { node, read: () => node.value };
	}
	if (field.type === 21 || field.type === 22) {
		const isRadio = field.type === 21;
		const inputs = field.options.map((one) =>
			el('input', {
				type: isRadio ? 'radio' : 'checkbox',
				name: field.custom_id,
				value: one.value,
				checked: one.default === true,
				testid: `${testid}-${one.value}`,
			}),
		);
		const node = el(
			'div',
			{ class: 'choices', testid },
			field.options.map((one, index) =>
				el(
					'label',
					{ class: 'choice' },
					inputs[index],
					el('span', {}, one.label, one.description && el('small', {}, one.description)),
				),
			),
		);
		const picked = () => inputs.filter((one) => one.checked).map((one) => one.value);
		return { node, read: () => (isRadio ? (picked()[0] ?? null) : picked()) };
	}
	if (field.type === 23) {
		const input = el('input', { type: 'checkbox', checked: field.default === true, testid });
		return { node: el('label', { class: 'choice' }, input, el('span', {}, 'Yes')), read: () => input.checked };
	}
	if (field.type === 19) {
		const input = el('input', { type: 'file', multiple: (field.max_values ?? 1) > 1, required: isRequired, testid });
		return { node: input, read: () => Promise.all([...input.files].map(readFile)) };
	}
	const options = optionsOf(field);
	const isMany = (field.max_values ?? 1) > 1;
	const node = el(
		'select',
		{ class: 'select', multiple: isMany, required: isRequired, testid, size: isMany ? Math.min(6, options.length) : 1 },
		!isMany && el('option', { value: '' }, field.placeholder ?? 'Make a selection'),
		options.map((one) => el('option', { value: one.value, selected: one.default === true }, one.label)),
	);
	return { node, read: () => [...node.selectedOptions].map((one) => one.value).filter((one) => one !== '') };
}

/** Shows the modal an interaction opened; it stays open when what was filled in is refused. */
export function openModal(interaction) {
	const { modal } = interaction;
	const fields = [];
	const add = (field, label, description) => {
		const input = inputFor(field);
		fields.push({ customId: field.custom_id, read: input.read });
		return el(
			'div',
			{ class: 'field' },
			el(
				'div',
				{ class: 'field-label' },
				label,
				field.required !== false && field.type !== 23 && el('span', { class: 'required' }, ' *'),
			),
			description && el('small', { class: 'hint' }, description),
			input.node,
		);
	};
	const rows = modal.components.map((component) => {
		if (component.type === 18) return add(component.component, component.label, component.description);
		if (component.type === 10) return el('div', { class: 'text' }, markdown(component.content, naming));
		return component.components.map((field) => add(field, field.label));
	});
	const problem = el('p', { class: 'failure', testid: 'modal-problem', hidden: true });
	const submit = el('button', { type: 'submit', class: 'button primary', testid: 'modal-submit' }, 'Submit');
	const dialog = el('dialog', { class: 'modal', testid: 'modal' });
	const close = () => {
		dialog.close();
		dialog.remove();
	};
	const show = (text) => {
		problem.textContent = text;
		problem.hidden = false;
		submit.disabled = false;
	};
	const onsubmit = async (event) => {
		event.preventDefault();
		submit.disabled = true;
		const values = {};
		for (const field of fields) values[field.customId] = await field.read();
		try {
			const result = await call('modal', {
				as: store.as,
				interaction: interaction.id,
				fields: values,
				timeoutMs: 4000,
			});
			if (!result.acknowledged) return show('Something went wrong. Try again.');
			close();
			if (result.modal !== null) openModal(result);
		} catch (error) {
			show(error.message);
		}
	};
	dialog.append(
		el(
			'form',
			{ onsubmit },
			el('h2', { testid: 'modal-title' }, modal.title),
			rows,
			problem,
			el(
				'div',
				{ class: 'modal-buttons' },
				el('button', { type: 'button', class: 'button quiet', testid: 'modal-cancel', onclick: close }, 'Cancel'),
				submit,
			),
		),
	);
	document.body.append(dialog);
	dialog.addEventListener('cancel', () => dialog.remove());
	dialog.showModal();
}
