import { createPlan } from './draw-room.js';

const byId = (id) => document.getElementById(id);
const drivers = ['alex', 'sam', 'kit'];
const problem = byId('problem');
let world;
let updates;

/** Sends one control request; a refusal is shown for a moment. */
async function send(action, body) {
	try {
		const response = await fetch(`control/${action}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
		const answer = await response.json();
		const refused =
			answer.refusal?.message ?? (response.ok ? undefined : (answer.problems ?? [answer.error]).join('; '));
		if (refused) complain(refused);
	} catch {
		complain('The house does not answer.');
	}
}

let hideTimer;
function complain(text) {
	problem.textContent = text;
	problem.hidden = false;
	clearTimeout(hideTimer);
	hideTimer = setTimeout(() => {
		problem.hidden = true;
	}, 4_000);
}

const act = (entityId, service, data) =>
	send('act', { domain: entityId.split('.')[0], service, entityId, ...(data && { data }) });

function button(label, testId, onClick) {
	const element = document.createElement('button');
	element.type = 'button';
	element.textContent = label;
	element.dataset.testid = testId;
	element.addEventListener('click', onClick);
	return element;
}

/** A row with a name, a state line and its controls; returns the function that refreshes it. */
function addRow(list, device, title, describe, controls) {
	const item = document.createElement('li');
	item.dataset.testid = `row-${device}`;
	const name = document.createElement('span');
	name.className = 'name';
	name.append(title);
	const state = document.createElement('span');
	state.className = 'state';
	state.dataset.testid = `state-${device}`;
	name.append(state);
	const presence = document.createElement('select');
	presence.dataset.testid = `presence-${device}`;
	presence.setAttribute('aria-label', `Presence of ${title}`);
	presence.title = 'here, away (unavailable) or gone (removed)';
	for (const [value, label] of [
		['available', 'here'],
		['unavailable', 'away'],
		['removed', 'gone'],
	]) {
		presence.append(new Option(label, value));
	}
	presence.addEventListener('change', () => send('presence', { id: device, presence: presence.value }));
	item.append(name, ...controls.map(({ element }) => element), presence);
	list.append(item);
	return (next) => {
		const first = next.entities[next.devices[device][0]];
		const shown = first === undefined ? 'removed' : first.state === 'unavailable' ? 'unavailable' : 'available';
		if (document.activeElement !== presence) presence.value = shown;
		presence.classList.toggle('bad', shown !== 'available');
		const { text, bad = false } = describe(next);
		state.textContent = text;
		state.classList.toggle('bad', bad);
		for (const { refresh } of controls) refresh?.(next);
	};
}

const plain = (element) => ({ element });
const toHex = (rgb) => `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
const fromHex = (hex) => [1, 3, 5].map((start) => Number.parseInt(hex.slice(start, start + 2), 16));

function lampRow(id, lamp) {
	const device = id.slice(id.indexOf('.') + 1);
	const toggle = button('', `toggle-${device}`, () => act(id, 'toggle'));
	const controls = [
		{
			element: toggle,
			refresh: ({ room }) => {
				const { on } = room.lamps[id];
				toggle.textContent = on ? 'On' : 'Off';
				toggle.setAttribute('aria-pressed', String(on));
			},
		},
	];
	if (lamp.kind === 'rgb') {
		const color = document.createElement('input');
		color.type = 'color';
		color.dataset.testid = `color-${device}`;
		color.setAttribute('aria-label', `Colour of ${lamp.name}`);
		color.addEventListener('change', () => act(id, 'turn_on', { rgb_color: fromHex(color.value) }));
		const refresh = ({ room }) => {
			if (document.activeElement !== color) color.value = toHex(room.lamps[id].rgb);
		};
		controls.unshift({ element: color, refresh });
	}
	const describe = ({ room }) => {
		const now = room.lamps[id];
		const level = now.kind === 'rgb' && now.on ? ` · ${Math.round((now.brightness / 255) * 100)} %` : '';
		return { text: `${id}${level}` };
	};
	return addRow(byId('lamps'), device, lamp.name, describe, controls);
}

function liftRow() {
	const jam = document.createElement('select');
	jam.dataset.testid = 'jam-lift';
	jam.setAttribute('aria-label', 'Jam the lift');
	jam.title = 'fine, stuck (motor on, no motion) or silent (moves, but goes on reporting motion)';
	for (const [value, label] of [
		['none', 'fine'],
		['stuck', 'stuck'],
		['never_reports', 'silent'],
	]) {
		jam.append(new Option(label, value));
	}
	jam.addEventListener('change', () => send('poke', { kind: 'jam_lift', jam: jam.value }));
	const refresh = ({ room }) => {
		if (document.activeElement !== jam) jam.value = room.lift.jam;
	};
	const controls = [
		plain(button('Up', 'lift-up', () => act('cover.lift', 'open_cover'))),
		plain(button('Stop', 'lift-stop', () => act('cover.lift', 'stop_cover'))),
		plain(button('Down', 'lift-down', () => act('cover.lift', 'close_cover'))),
		{ element: jam, refresh },
	];
	const describe = ({ room, entities }) => ({
		text: `${entities['cover.lift']?.state ?? 'gone'} · ${Math.round(room.lift.position)} %`,
		bad: room.lift.jam !== 'none',
	});
	return addRow(byId('machines'), 'lift', 'Lift', describe, controls);
}

function vacuumRow() {
	const trouble = button('Error', 'vacuum-error', () => {
		const error = world.room.vacuum.error ? '' : '12 - UI_ERROR_BRUSH_STUCK';
		send('poke', { kind: 'vacuum_error', error });
	});
	const refresh = ({ room }) => trouble.setAttribute('aria-pressed', String(room.vacuum.error !== undefined));
	const controls = [
		plain(button('Start', 'vacuum-start', () => act('vacuum.neato', 'start'))),
		plain(button('Pause', 'vacuum-pause', () => act('vacuum.neato', 'pause'))),
		plain(button('Home', 'vacuum-home', () => act('vacuum.neato', 'return_to_base'))),
		{ element: trouble, refresh },
	];
	const describe = ({ room }) => ({
		text: `${room.vacuum.error ?? room.vacuum.activity} · battery ${Math.round(room.vacuum.battery)} %`,
		bad: room.vacuum.error !== undefined,
	});
	return addRow(byId('machines'), 'vacuum', 'Vacuum', describe, controls);
}

function roverRow(id, index) {
	const drive = button('Drive', `drive-${id}`, () => {
		const driver = world.room.rovers[id].driver || drivers[index % drivers.length];
		send('poke', { kind: 'drive', rover: id, driver });
	});
	const controls = [
		plain(drive),
		plain(button('Stop', `stop-${id}`, () => send('poke', { kind: 'stop', rover: id }))),
		plain(button('Dock', `dock-${id}`, () => send('poke', { kind: 'dock', rover: id }))),
		plain(button('Bump', `bump-${id}`, () => send('poke', { kind: 'bump', rover: id }))),
	];
	const describe = ({ room }) => {
		const rover = room.rovers[id];
		const who = rover.driver ? ` · ${rover.driver}` : '';
		const hazard = rover.hazardLeftMs > 0;
		return { text: `${hazard ? 'bumped' : rover.activity}${who} · ${Math.round(rover.battery)} %`, bad: hazard };
	};
	return addRow(byId('rovers'), id, `Rover ${index + 1}`, describe, controls);
}

function roomButtons() {
	const present = button('', 'presence', () =>
		send('poke', { kind: 'presence', present: !world.room.somebodyPresent }),
	);
	const rest = [
		button('Press lights lock', 'lights-lock', () => send('poke', { kind: 'press', button: 'button.lights_lock' })),
		button('Restart', 'restart', () => send('restart', {})),
		button('Cut connection', 'cut', () => send('close-sockets', {})),
		button('Reset', 'reset', () => send('reset', {})),
	];
	byId('room').append(present, ...rest);
	return ({ room }) => {
		present.textContent = room.somebodyPresent ? 'Somebody is here' : 'Nobody here';
		present.setAttribute('aria-pressed', String(room.somebodyPresent));
	};
}

function showCalls({ calls, at }) {
	const items = calls
		.slice(-3)
		.reverse()
		.map((call) => {
			const item = document.createElement('li');
			const what = document.createElement('span');
			what.className = 'what';
			what.textContent = `${call.domain}.${call.service} ${call.entityIds.join(', ')}`;
			const outcome = document.createElement('span');
			const acted = call.outcome === 'ok' && call.executed.length > 0;
			outcome.className = acted ? 'ok' : 'not';
			outcome.textContent = call.outcome === 'ok' && !acted ? 'nothing there' : call.outcome;
			const age = document.createElement('span');
			age.textContent = `${Math.max(0, Math.round((at - call.at) / 1_000))} s`;
			item.append(what, outcome, age);
			return item;
		});
	if (items.length === 0) {
		const none = document.createElement('li');
		none.textContent = 'none yet';
		items.push(none);
	}
	byId('calls').replaceChildren(...items);
}

function showLink({ clients, loaded }) {
	const text = !loaded
		? 'restarting…'
		: clients === 0
			? 'no bot connected'
			: clients === 1
				? 'bot connected'
				: `${clients} clients`;
	byId('link').textContent = text;
	byId('link').classList.toggle('good', loaded && clients > 0);
}

function show(next) {
	world = next;
	updates ??= [
		createPlan(byId('plan'), next, (id) => act(id, 'toggle')),
		...Object.entries(next.room.lamps).map(([id, lamp]) => lampRow(id, lamp)),
		liftRow(),
		vacuumRow(),
		...Object.keys(next.room.rovers).map(roverRow),
		roomButtons(),
		showCalls,
		showLink,
	];
	for (const update of updates) update(next);
}

const feed = new EventSource('events');
feed.addEventListener('message', ({ data }) => show(JSON.parse(data)));
feed.addEventListener('error', () => {
	byId('link').textContent = 'page offline';
	byId('link').classList.remove('good');
});
