import { hidePicker, pickerKey, showPicker } from './command-picker.js';
import { el, readFile, replaceChildren, toast } from './dom.js';
import { act, currentChannel, store } from './store.js';

const typingEveryMs = 8000;
let files = [];
let lastTypingMs = 0;
let drawnFor = '';

const area = () => document.getElementById('composer-area');
const box = () => document.querySelector('[data-testid="composer"]');

export function setupComposer() {
	document.addEventListener('dragover', (event) => event.preventDefault());
	document.addEventListener('drop', (event) => {
		event.preventDefault();
		addFiles(event.dataTransfer?.files ?? []);
	});
}

async function addFiles(list) {
	for (const file of list) {
		if (file.size > 10 * 1024 * 1024) toast(`${file.name} is larger than 10 MB`);
		else files.push(await readFile(file));
	}
	drawExtras();
}

async function send() {
	const input = box();
	const text = input.value;
	if (text.trim() === '' && files.length === 0) return;
	if (store.editing !== undefined) {
		const edited = await act('edit', { message: store.editing.id, text });
		if (edited === undefined) return;
		store.editing = undefined;
		drawComposer(true);
		return;
	}
	const sent = await act('message', { channel: store.channelId, text, attachments: files, replyTo: store.replyTo?.id });
	if (sent === undefined) return;
	files = [];
	store.replyTo = undefined;
	lastTypingMs = 0;
	input.value = '';
	resize(input);
	drawExtras();
}

function resize(input) {
	input.style.height = 'auto';
	input.style.height = `${Math.min(input.scrollHeight, 240)}px`;
	const left = 2000 - [...input.value].length;
	const counter = document.getElementById('counter');
	if (counter !== null) counter.textContent = left < 200 ? String(left) : '';
}

function onInput(event) {
	const input = event.currentTarget;
	resize(input);
	if (/^\/[^\n]*$/.test(input.value)) showPicker(input.value.slice(1));
	else hidePicker();
	if (input.value !== '' && !input.value.startsWith('/') && Date.now() - lastTypingMs > typingEveryMs) {
		lastTypingMs = Date.now();
		act('type', { channel: store.channelId });
	}
}

function onKey(event) {
	if (pickerKey(event)) return;
	if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
		event.preventDefault();
		send();
	}
	if (event.key === 'Escape') {
		const was = store.editing;
		store.replyTo = undefined;
		store.editing = undefined;
		if (was !== undefined) drawComposer(true);
		else drawExtras();
	}
}

/** Reply bar and chosen files, above the input; redrawn without touching what is being typed. */
function drawExtras() {
	const extras = document.getElementById('composer-extras');
	if (extras === null) return;
	const target = store.replyTo ?? store.editing;
	replaceChildren(
		extras,
		target !== undefined &&
			el(
				'div',
				{ class: 'reply-bar', testid: 'reply-bar' },
				store.editing !== undefined ? 'Editing your message' : ['Replying to ', el('b', {}, target.author.displayName)],
				el(
					'button',
					{
						type: 'button',
						class: 'icon-button',
						ariaLabel: 'Cancel',
						testid: 'reply-cancel',
						onclick: () => {
							const was = store.editing;
							store.replyTo = undefined;
							store.editing = undefined;
							if (was !== undefined) drawComposer(true);
							else drawExtras();
						},
					},
					'✕',
				),
			),
		files.length > 0 &&
			el(
				'div',
				{ class: 'chosen-files', testid: 'chosen-files' },
				files.map((file) =>
					el(
						'span',
						{ class: 'chip' },
						file.name,
						el(
							'button',
							{
								type: 'button',
								ariaLabel: `Remove ${file.name}`,
								onclick: () => {
									files = files.filter((one) => one !== file);
									drawExtras();
								},
							},
							'✕',
						),
					),
				),
			),
	);
}

export function drawComposer(force = false) {
	const channel = currentChannel();
	const signature = [store.as, store.channelId, channel?.canSend, channel?.locked, store.editing?.id].join();
	if (!force && signature === drawnFor) {
		drawExtras();
		return;
	}
	drawnFor = signature;
	hidePicker();
	if (channel === undefined || !channel.canSend) {
		replaceChildren(
			area(),
			el(
				'div',
				{ class: 'no-speech', testid: 'no-speech' },
				'You do not have permission to send messages in this channel.',
			),
		);
		return;
	}
	const fileInput = el('input', {
		type: 'file',
		multiple: true,
		hidden: true,
		testid: 'file-input',
		onchange: () => addFiles(fileInput.files),
	});
	const input = el('textarea', {
		class: 'composer-input',
		rows: 1,
		testid: 'composer',
		ariaLabel: `Message #${channel.name}`,
		placeholder: channel.kind === 'dm' ? 'Message' : `Message #${channel.name}`,
		value: store.editing?.text ?? '',
		oninput: onInput,
		onkeydown: onKey,
		onpaste: (event) => {
			if ((event.clipboardData?.files.length ?? 0) > 0) addFiles(event.clipboardData.files);
		},
	});
	replaceChildren(
		area(),
		el('div', { id: 'composer-extras' }),
		el(
			'div',
			{ class: 'composer' },
			el(
				'button',
				{
					type: 'button',
					class: 'icon-button round',
					ariaLabel: 'Attach a file',
					testid: 'attach',
					onclick: () => fileInput.click(),
				},
				'+',
			),
			fileInput,
			input,
			el('span', { id: 'counter' }),
			el('button', { type: 'button', class: 'icon-button', ariaLabel: 'Send', testid: 'send', onclick: send }, '➤'),
		),
	);
	drawExtras();
	resize(input);
	if (window.matchMedia('(min-width: 800px)').matches) input.focus();
}
