import { drawComponents } from './component-view.js';
import { avatar, el, replaceChildren, timeText } from './dom.js';
import { drawAttachments, drawEmbeds } from './embed-view.js';
import { markdown } from './markdown.js';
import { messageActions } from './message-actions.js';
import { act, naming, store, userName } from './store.js';

const groupWithinMs = 7 * 60_000;
const notices = {
	6: (message) => [el('b', {}, message.author.displayName), ' pinned a message to this channel.'],
	18: (message) => [el('b', {}, message.author.displayName), ' started a thread: ', el('b', {}, message.text)],
	21: (message) => [
		el('b', {}, message.author.displayName),
		' opened this thread',
		message.replyTo && ` about “${plainStart(message.replyTo.text, 80)}”`,
	],
};

/** The beginning of a message as one line: names instead of mentions, no marks of its markdown. */
const plainStart = (text, max) =>
	el('span', {}, markdown(text.split('\n', 1)[0], naming))
		.textContent.trim()
		.slice(0, max);

const displayName = (name) => store.house.people.find((one) => one.name === name)?.displayName ?? name;

function isGrouped(message, previous) {
	return (
		previous !== undefined &&
		previous.author.id === message.author.id &&
		message.replyTo === null &&
		message.interaction === null &&
		notices[previous.type] === undefined &&
		previous.ephemeral === message.ephemeral &&
		message.atMs - previous.atMs < groupWithinMs
	);
}

function heading(message) {
	return el(
		'div',
		{ class: 'heading' },
		el('span', { class: 'author', testid: 'author' }, message.author.displayName),
		message.author.bot && el('span', { class: 'app-tag' }, 'APP'),
		el('time', {}, timeText(message.atMs)),
		message.pinned && el('span', { class: 'hint', title: 'pinned' }, '📌'),
	);
}

function context(message) {
	if (message.type === 20 || message.type === 23) {
		const by = message.interaction?.by ?? '';
		const command = message.type === 20 ? `/${message.interaction?.name}` : message.interaction?.name;
		return el(
			'div',
			{ class: 'reply-line' },
			el('b', {}, displayName(by)),
			' used ',
			el('span', { class: 'mention' }, command),
		);
	}
	if (message.replyTo === null) return undefined;
	return el(
		'button',
		{ type: 'button', class: 'reply-line', testid: 'reply-line', onclick: () => reveal(message.replyTo.id) },
		el('b', {}, `@${displayName(message.replyTo.author)}`),
		' ',
		plainStart(message.replyTo.text, 120) || 'open the message',
	);
}

function reveal(id) {
	const node = document.querySelector(`[data-message-id="${CSS.escape(id)}"]`);
	node?.scrollIntoView({ block: 'center' });
	node?.classList.add('flash');
	setTimeout(() => node?.classList.remove('flash'), 1500);
}

function reactions(message) {
	if (message.reactions.length === 0) return undefined;
	return el(
		'div',
		{ class: 'reactions' },
		message.reactions.map((one) => {
			const mine = one.by.includes(store.as);
			return el(
				'button',
				{
					type: 'button',
					class: mine ? 'reaction mine' : 'reaction',
					testid: 'reaction',
					title: one.by.map(displayName).join(', '),
					onclick: () => act('react', { message: message.id, emoji: one.emoji, remove: mine }),
				},
				one.emoji,
				el('span', {}, String(one.count)),
			);
		}),
	);
}

function body(message) {
	if (message.thinking) {
		return el(
			'div',
			{ class: 'thinking', testid: 'thinking' },
			el('span', { class: 'dots' }, el('i'), el('i'), el('i')),
			`${message.author.displayName} is thinking…`,
		);
	}
	return el(
		'div',
		{ class: 'text', testid: 'message-text' },
		markdown(message.text, naming),
		message.editedAtMs !== null && el('span', { class: 'edited', title: timeText(message.editedAtMs) }, '(edited)'),
	);
}

function threadChip(message) {
	if (message.thread === null) return undefined;
	return el(
		'button',
		{
			type: 'button',
			class: 'thread-chip',
			testid: 'open-thread',
			onclick: () => store.openChannel(message.thread.id),
		},
		el('span', {}, '↳ '),
		el('b', {}, message.thread.name),
		el('span', { class: 'link' }, 'See thread ›'),
	);
}

function footer(message) {
	const failure = store.failures.get(message.id);
	return [
		failure !== undefined && el('div', { class: 'failure', testid: 'interaction-failed' }, failure),
		message.ephemeral &&
			el(
				'div',
				{ class: 'ephemeral-note' },
				'👁 Only you can see this · ',
				el(
					'button',
					{ type: 'button', class: 'link', testid: 'dismiss', onclick: () => act('delete', { message: message.id }) },
					'Dismiss message',
				),
			),
	];
}

function messageNode(message, previous) {
	const notice = notices[message.type];
	if (notice !== undefined) {
		return el(
			'li',
			{ class: 'notice', testid: 'notice', data: { messageId: message.id } },
			el('span', { class: 'notice-icon' }, '→'),
			el('span', {}, notice(message)),
			el('time', {}, timeText(message.atMs)),
		);
	}
	const grouped = isGrouped(message, previous);
	const pinged = message.pings.includes(store.as);
	const classes = ['message', grouped && 'grouped', message.ephemeral && 'ephemeral', pinged && 'pinged'];
	return el(
		'li',
		{
			class: classes.filter(Boolean).join(' '),
			testid: 'message',
			data: { messageId: message.id, author: message.author.name },
		},
		context(message),
		el(
			'div',
			{ class: 'gutter' },
			grouped
				? el('time', { class: 'grouped-time' }, timeText(message.atMs))
				: avatar(message.author.name, message.author.displayName, message.author.bot),
		),
		el(
			'div',
			{ class: 'content' },
			!grouped && heading(message),
			body(message),
			drawAttachments(message.attachments),
			drawEmbeds(message.embeds, naming),
			drawComponents(message),
			reactions(message),
			threadChip(message),
			footer(message),
		),
		messageActions(message),
	);
}

function pendingNode(pending) {
	return el(
		'li',
		{
			class: pending.failed ? 'message pending failed' : 'message pending',
			testid: pending.failed ? 'command-failed' : 'command-pending',
		},
		el('div', { class: 'gutter' }, avatar(pending.bot, pending.bot, true)),
		el(
			'div',
			{ class: 'content' },
			el(
				'div',
				{ class: 'heading' },
				el('span', { class: 'author' }, pending.bot),
				el('span', { class: 'app-tag' }, 'APP'),
			),
			el('div', { class: 'text' }, pending.failed || `Sending /${pending.label}…`),
		),
		pending.failed &&
			el(
				'button',
				{
					type: 'button',
					class: 'icon-button',
					ariaLabel: 'Dismiss',
					onclick: () => {
						store.pendingCommands = store.pendingCommands.filter((one) => one !== pending);
						drawMessages();
					},
				},
				'✕',
			),
	);
}

const sorted = () => [...store.messages.values()].sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
const list = () => document.getElementById('messages');

/** Keeps the newest message in view unless somebody has scrolled up to read. */
function keepingBottom(change) {
	const box = list();
	const wasAtBottom = box.scrollHeight - box.scrollTop - box.clientHeight < 120;
	change();
	if (!wasAtBottom) return;
	const toBottom = () => {
		box.scrollTop = box.scrollHeight;
	};
	toBottom();
	// A picture has no height before it is here; it would push what follows out of view, and nothing would be followed any more.
	for (const image of box.querySelectorAll('img')) {
		if (!image.complete && image.loading !== 'lazy') image.addEventListener('load', toBottom, { once: true });
	}
}

export function drawMessages() {
	keepingBottom(() => {
		const all = sorted();
		const pending = store.pendingCommands.filter((one) => one.channelId === store.channelId);
		replaceChildren(
			list(),
			el('li', { class: 'beginning' }, welcome()),
			all.map((message, index) => messageNode(message, all[index - 1])),
			pending.map(pendingNode),
		);
	});
}

function welcome() {
	const channel = store.house.channels.find((one) => one.id === store.channelId);
	if (channel === undefined) return 'Nothing to see here.';
	const name =
		channel.kind === 'dm'
			? channel.members
					.filter((one) => one !== store.as)
					.map(displayName)
					.join(', ')
			: channel.name;
	return [
		el('h2', {}, channel.kind === 'dm' ? name : `# ${name}`),
		el(
			'p',
			{},
			`You are ${userName(store.house.people.find((one) => one.name === store.as)?.id)}. This is where #${name} begins. Type / for commands.`,
		),
	];
}

/** Redraws one message in place, so that open menus and half-made choices elsewhere stay. */
export function patchMessage(message) {
	const node = list().querySelector(`[data-message-id="${CSS.escape(message.id)}"]`);
	const all = sorted();
	const index = all.findIndex((one) => one.id === message.id);
	const fresh = messageNode(message, all[index - 1]);
	keepingBottom(() => {
		if (node !== null) node.replaceWith(fresh);
		else if (index === all.length - 1 && store.pendingCommands.length === 0) list().append(fresh);
		else drawMessages();
	});
}
