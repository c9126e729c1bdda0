import { call } from './api.js';
import { el, toast } from './dom.js';
import { act, attempt, interact, me, store } from './store.js';

const quickEmoji = ['👍', '❤️', '😂', '🎉', '👀', '✅', '🙏', '😮'];

function popover(anchor, testid, ...children) {
	for (const open of document.querySelectorAll('.popover')) open.remove();
	const box = el('div', { class: 'popover', testid }, children);
	const { bottom, right } = anchor.getBoundingClientRect();
	Object.assign(box.style, {
		top: `${Math.min(bottom + 4, innerHeight - 220)}px`,
		right: `${Math.max(8, innerWidth - right)}px`,
	});
	document.body.append(box);
	const close = (event) => {
		if (box.contains(event.target) && event.target.closest('button') === null) return;
		box.remove();
		document.removeEventListener('click', close, true);
	};
	// The click that opened it must not close it.
	setTimeout(() => document.addEventListener('click', close, true));
}

const button = (label, title, testid, onclick) =>
	el('button', { type: 'button', class: 'action', title, ariaLabel: title, testid, onclick }, label);

async function openApps(anchor, message) {
	const all = (await attempt(() => call('commands', { as: store.as, channel: message.channelId }))) ?? [];
	const own = all.filter((one) => one.command.type === 3);
	const entries = own.map(({ bot, command }) =>
		el(
			'button',
			{
				type: 'button',
				class: 'menu-entry',
				testid: `message-command-${command.name.replaceAll(' ', '-')}`,
				onclick: () =>
					interact('message-command', { message: message.id, command: command.name, bot }, (why) => why && toast(why)),
			},
			command.name,
			el('small', {}, bot),
		),
	);
	popover(anchor, 'apps-menu', entries.length > 0 ? entries : el('span', { class: 'hint' }, 'No apps for messages'));
}

async function startThread(message) {
	const name = prompt('Name of the thread', message.text.slice(0, 40) || 'Thread');
	if (name === null || name === '') return;
	const thread = await act('thread', { message: message.id, name });
	if (thread !== undefined) store.openChannel(thread.id);
}

/** What can be done with a message, shown when the pointer is over it. */
export function messageActions(message) {
	if (message.ephemeral) return undefined;
	const own = message.author.name === store.as;
	const isAdmin = me()?.roles.includes('Admin') === true;
	const channel = store.house.channels.find((one) => one.id === message.channelId);
	return el(
		'div',
		{ class: 'actions' },
		button('☺', 'Add a reaction', 'action-react', (event) =>
			popover(
				event.currentTarget,
				'emoji-menu',
				quickEmoji.map((emoji) =>
					el(
						'button',
						{
							type: 'button',
							class: 'emoji',
							testid: `emoji-${emoji}`,
							onclick: () => act('react', { message: message.id, emoji }),
						},
						emoji,
					),
				),
			),
		),
		button('↩', 'Reply', 'action-reply', () => {
			store.replyTo = message;
			store.editing = undefined;
			store.draw('composer');
			document.querySelector('[data-testid="composer"]')?.focus();
		}),
		channel?.kind === 'text' &&
			message.thread === null &&
			button('🧵', 'Start a thread', 'action-thread', () => startThread(message)),
		button('⌘', 'Apps', 'action-apps', (event) => openApps(event.currentTarget, message)),
		own &&
			button('✎', 'Edit', 'action-edit', () => {
				store.editing = message;
				store.replyTo = undefined;
				store.draw('composer');
			}),
		isAdmin &&
			button('📌', message.pinned ? 'Unpin' : 'Pin', 'action-pin', () =>
				act('pin', { message: message.id, remove: message.pinned }),
			),
		(own || isAdmin) && button('🗑', 'Delete', 'action-delete', () => act('delete', { message: message.id })),
	);
}
