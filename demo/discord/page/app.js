import { call, listen } from './api.js';
import { drawComposer, setupComposer } from './composer.js';
import { el, replaceChildren } from './dom.js';
import { drawMessages, patchMessage } from './message-list.js';
import { openModal } from './modal-view.js';
import { drawPanels, setupPanels } from './panels.js';
import { drawHeader, drawSidebar } from './sidebar.js';
import { attempt, channelById, currentChannel, store } from './store.js';

let stopListening = () => {};

const regions = {
	sidebar: drawSidebar,
	header: drawHeader,
	messages: drawMessages,
	composer: drawComposer,
	typing: drawTyping,
	panels: drawPanels,
};
store.draw = (...names) => {
	for (const name of names.length > 0 ? names : Object.keys(regions)) regions[name]();
};
store.openModal = openModal;
store.openChannel = openChannel;
store.speakAs = speakAs;

function drawTyping() {
	const here = store.typing.get(store.channelId) ?? new Map();
	const names = [...here].filter(([name, until]) => until > Date.now() && name !== store.as).map(([name]) => name);
	const shown = names.map((name) => store.house.people.find((one) => one.name === name)?.displayName ?? name);
	const text =
		shown.length === 0 ? '' : shown.length === 1 ? `${shown[0]} is typing…` : `${shown.join(', ')} are typing…`;
	replaceChildren(
		document.getElementById('typing'),
		text && [el('span', { class: 'dots' }, el('i'), el('i'), el('i')), text],
	);
}

async function loadHouse() {
	const known = new Set(store.house.channels.map((one) => one.id));
	store.house = await call('state', { as: store.as });
	document.title = store.house.guild.name;
	const usable = store.house.channels.filter((one) => one.kind !== 'category');
	if (!usable.some((one) => one.id === store.channelId)) {
		const gone = store.channelId !== '';
		await openChannel((usable.find((one) => one.kind === 'text') ?? usable[0])?.id ?? '');
		if (gone) return;
	}
	for (const [channelId, names] of Object.entries(store.house.typing)) {
		for (const name of names) noteTyping(channelId, name);
	}
	// A link to a thread may have come before the thread itself did, and has no name then.
	for (const message of store.messages.values()) {
		const links = [...message.text.matchAll(/<#(\d+)>/g)].map(([, id]) => id);
		if (links.some((id) => !known.has(id) && channelById(id) !== undefined)) patchMessage(message);
	}
	store.draw('sidebar', 'header', 'composer', 'panels', 'typing');
}

async function openChannel(id) {
	store.channelId = id;
	store.replyTo = undefined;
	store.editing = undefined;
	store.unread.delete(id);
	document.body.classList.remove('sidebar-open');
	if (await loadMessages()) store.draw('sidebar', 'header', 'messages', 'composer', 'typing');
}

/** What was heard of the open channel while its messages are loaded: it is newer than the answer. */
const loads = new Set();

function changeMessages(change) {
	for (const heard of loads) heard.push(change);
	change(store.messages);
}

/** False: meanwhile another channel was opened. */
async function loadMessages() {
	const id = store.channelId;
	const channel = currentChannel();
	if (channel === undefined) {
		store.messages = new Map();
		return true;
	}
	const heard = [];
	loads.add(heard);
	const list = (await attempt(() => call('messages', { as: store.as, channel: id, limit: 200 }))) ?? [];
	loads.delete(heard);
	if (store.channelId !== id) return false;
	store.messages = new Map(list.map((one) => [one.id, one]));
	for (const change of heard) change(store.messages);
	history.replaceState(null, '', `#${store.as}/${channel.kind === 'text' ? channel.name : id}`);
	return true;
}

function noteTyping(channelId, name) {
	const here = store.typing.get(channelId) ?? new Map();
	here.set(name, Date.now() + 10_000);
	store.typing.set(channelId, here);
}

let reloadTimer;
function reloadSoon() {
	clearTimeout(reloadTimer);
	reloadTimer = setTimeout(() => attempt(loadHouse), 80);
}

async function speakAs(name) {
	stopListening();
	store.as = name;
	store.unread.clear();
	store.failures.clear();
	await attempt(loadHouse);
	if (store.channelId !== '') await openChannel(store.channelId);
	await new Promise((heard) => {
		// Whatever happened before a connection was there is loaded with it.
		const connected = async () => {
			await attempt(loadHouse);
			if (store.channelId !== '' && (await loadMessages())) store.draw('messages');
			heard();
		};
		stopListening = listen(name, connected, handlers);
		// The page can be used without it, and the browser goes on trying.
		setTimeout(heard, 3_000);
	});
}

const handlers = {
	state: () => {
		if (store.channelId !== '') reloadSoon();
	},
	message: ({ created, message }) => {
		store.typing.get(message.channelId)?.delete(message.author.name);
		if (message.channelId === store.channelId) {
			changeMessages((messages) => messages.set(message.id, message));
			patchMessage(message);
			store.draw('typing');
		} else if (created && message.author.name !== store.as) {
			const before = store.unread.get(message.channelId);
			store.unread.set(message.channelId, { pinged: before?.pinged === true || message.pings.includes(store.as) });
			store.draw('sidebar');
		}
	},
	deleted: ({ id, channelId }) => {
		if (channelId !== store.channelId) return;
		changeMessages((messages) => messages.delete(id));
		store.draw('messages');
	},
	typing: ({ channelId, name: who }) => {
		noteTyping(channelId, who);
		store.draw('typing');
	},
	interaction: () => {},
};

async function start() {
	const [wantedName, wantedChannel] = decodeURIComponent(location.hash.slice(1)).split('/');
	const house = await call('state', {});
	const person = house.people.find((one) => one.name === wantedName) ?? house.people[0];
	const channel = house.channels.find((one) => one.name === wantedChannel || one.id === wantedChannel);
	store.channelId = channel?.id ?? '';
	setupComposer();
	setupPanels();
	document
		.getElementById('open-sidebar')
		.addEventListener('click', () => document.body.classList.toggle('sidebar-open'));
	document.querySelector('main').addEventListener('click', (event) => {
		if (event.target.closest('#open-sidebar') === null) document.body.classList.remove('sidebar-open');
	});
	setInterval(() => store.draw('typing'), 1000);
	await speakAs(person.name);
	document.body.dataset.ready = 'true';
}

attempt(start);
