/** The live page: it only draws what /admin/events tells, and counts down by itself in between. */
import { renderBoard } from './boards.js';
import { renderRoom } from './room.js';

const byId = (id) => document.getElementById(id);
const rooms = new Map();
const boards = new Map();
/** Server time minus ours: the house and the phone rarely agree. */
let skewMs = 0;
let heardAt = 0;

function element(tag, attributes = {}, ...children) {
	const node = document.createElement(tag);
	for (const [name, value] of Object.entries(attributes)) if (value !== undefined) node.setAttribute(name, value);
	node.append(...children.filter((child) => child !== undefined));
	return node;
}

function drawHealth({ state, parts }) {
	const words = { ready: 'all parts work', degraded: 'degraded', down: 'down' };
	const tones = { ready: 'is-good', degraded: 'is-warn', down: 'is-bad' };
	const health = byId('health');
	health.textContent = words[state] ?? state;
	health.className = `health ${tones[state] ?? ''}`;
	const unkept = parts.find((part) => part.name === 'storage' && !part.ok);
	byId('banner').hidden = unkept === undefined;
	byId('banner').textContent = [unkept?.detail, unkept?.hint].filter(Boolean).join('. ');
	byId('parts').replaceChildren(
		...parts.map((part) => {
			const tone = part.ok ? 'is-good' : part.required ? 'is-bad' : 'is-warn';
			const line = [part.detail, part.ok ? undefined : part.hint].filter(Boolean).join(' · ');
			return element(
				'div',
				{},
				element('strong', { class: tone }, `${part.ok ? '●' : '○'} ${part.name}`),
				element('small', {}, line),
			);
		}),
	);
}

function drawRoom(id) {
	const room = rooms.get(id);
	const article = document.querySelector(`article[data-room="${CSS.escape(id)}"]`);
	if (!room || !article) return;
	// What somebody opened to read stays open while the page changes around it.
	const open = new Map(
		[...article.querySelectorAll('details[open]')].map((node) => [
			node.dataset.part,
			node.querySelector('pre').scrollTop,
		]),
	);
	article.replaceChildren(...renderRoom(room, Date.now() + skewMs, element));
	for (const node of article.querySelectorAll('details')) {
		node.open = open.has(node.dataset.part);
		node.querySelector('pre').scrollTop = open.get(node.dataset.part) ?? 0;
	}
}

function drawBoard(name) {
	let article = document.querySelector(`article[data-board="${CSS.escape(name)}"]`);
	if (!article) {
		article = element('article', { 'data-board': name });
		byId('boards').append(article);
	}
	const scrolled = article.querySelector('.rows')?.scrollTop ?? 0;
	article.replaceChildren(...renderBoard(name, boards.get(name), Date.now() + skewMs, element));
	const rows = article.querySelector('.rows');
	if (rows) rows.scrollTop = scrolled;
}

function connect() {
	const events = new EventSource('/admin/events');
	const on = (name, listener) =>
		events.addEventListener(name, (event) => {
			heardAt = Date.now();
			listener(JSON.parse(event.data));
		});
	on('rooms', (list) => {
		for (const { id, title } of list) rooms.set(id, { status: null, ...rooms.get(id), id, title });
		const known = new Set(list.map((room) => room.id));
		for (const id of [...rooms.keys()]) if (!known.has(id)) rooms.delete(id);
		byId('rooms').replaceChildren(...[...rooms.keys()].map((id) => element('article', { 'data-room': id })));
		if (rooms.size === 0) byId('rooms').append(element('p', { class: 'quiet' }, 'No room is configured.'));
		for (const id of rooms.keys()) drawRoom(id);
	});
	on('room', (room) => {
		rooms.set(room.id, room);
		drawRoom(room.id);
	});
	on('board', ({ name, document }) => {
		boards.set(name, document);
		drawBoard(name);
	});
	on('health', (health) => {
		skewMs = health.now - Date.now();
		drawHealth(health);
	});
	on('logout', () => {
		events.close();
		location.assign('/login?next=/admin');
	});
	events.onerror = () => {
		byId('health').textContent = 'connection lost, trying again …';
		byId('health').className = 'health is-bad';
		// A refused stream is closed for good; that happens when the login has ended or the house restarts.
		if (events.readyState === EventSource.CLOSED)
			fetch('/admin', { redirect: 'manual' })
				.then((answer) =>
					answer.type === 'opaqueredirect' ? location.assign('/login?next=/admin') : setTimeout(connect, 5_000),
				)
				.catch(() => setTimeout(connect, 5_000));
	};
}

setInterval(() => {
	if (heardAt > 0) byId('heard').textContent = `last heard ${Math.round((Date.now() - heardAt) / 1_000)} s ago`;
	// Text that somebody is marking is left alone.
	if (getSelection()?.isCollapsed === false) return;
	for (const id of rooms.keys()) drawRoom(id);
	for (const name of boards.keys()) drawBoard(name);
}, 1_000);
connect();
