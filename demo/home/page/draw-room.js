const svgNamespace = 'http://www.w3.org/2000/svg';
const roverColors = ['#5fd0c5', '#f2b65a', '#f08bb4'];
const vacuumDock = { x: 424, y: 322 };
const shaft = { x: 372, top: 92, height: 118 };

function make(parent, name, attributes = {}, text = undefined) {
	const element = document.createElementNS(svgNamespace, name);
	for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
	if (text !== undefined) element.textContent = text;
	parent.append(element);
	return element;
}

/** Names are as long as people make them; the plan is small. */
const shorten = (text) => (text.length > 14 ? `${text.slice(0, 13)}…` : text);

const toCss = ([red, green, blue]) => `rgb(${red} ${green} ${blue})`;

/** Marks a part as unavailable or hides it when its entity does not exist. */
function showPresence(element, entity) {
	element.classList.toggle('gone', entity === undefined);
	element.classList.toggle('away', entity?.state === 'unavailable');
}

/** Draws the room once and returns the function that brings it up to date. */
export function createPlan(svg, world, onLamp) {
	const defs = make(svg, 'defs');
	make(svg, 'rect', { width: 460, height: 360, fill: '#0e1015' });
	make(svg, 'rect', {
		x: 8,
		y: 8,
		width: 444,
		height: 344,
		rx: 10,
		fill: '#191c24',
		stroke: '#39404f',
		'stroke-width': 3,
	});
	for (let x = 52; x < 450; x += 44) {
		make(svg, 'line', { x1: x, y1: 10, x2: x, y2: 350, stroke: '#20242e' });
	}
	make(svg, 'rect', { x: 36, y: 44, width: 84, height: 20, rx: 3, fill: '#252a35', stroke: '#353c4b' });
	make(svg, 'rect', { x: 184, y: 46, width: 100, height: 26, rx: 3, fill: '#252a35', stroke: '#353c4b' });
	make(svg, 'rect', { x: 150, y: 150, width: 120, height: 76, rx: 12, fill: '#1e222c', stroke: '#2b313e' });
	const glows = make(svg, 'g', { style: 'mix-blend-mode: screen' });
	const lamps = Object.entries(world.room.lamps).map(([id, lamp]) => createLamp(svg, defs, glows, id, lamp, onLamp));
	const lift = createLift(svg);
	const docks = make(svg, 'g');
	const vacuum = createVacuum(svg, docks);
	const rovers = Object.entries(world.room.rovers).map(([id, rover], index) =>
		createRover(svg, docks, id, rover, roverColors[index % roverColors.length]),
	);
	return (next) => {
		for (const update of [...lamps, lift, vacuum, ...rovers]) update(next);
	};
}

function createLamp(svg, defs, glows, id, lamp, onLamp) {
	const { x, y } = lamp.at;
	const gradientId = `glow-${id.replace('.', '-')}`;
	const gradient = make(defs, 'radialGradient', { id: gradientId });
	const inner = make(gradient, 'stop', { offset: '0', 'stop-opacity': 0.85 });
	const outer = make(gradient, 'stop', { offset: '1', 'stop-opacity': 0 });
	const glow = make(glows, 'circle', { cx: x, cy: y, r: 118, fill: `url(#${gradientId})`, class: 'glow' });
	const group = make(svg, 'g', { class: 'lamp', tabindex: 0, role: 'button', 'data-testid': `plan-${id}` });
	const bulb = make(group, 'circle', { cx: x, cy: y, r: 10, class: 'bulb', stroke: '#0008', 'stroke-width': 2 });
	make(group, 'circle', { cx: x, cy: y, r: 20, fill: 'transparent' });
	const below = y < 60 ? 24 : y > 300 ? -16 : 24;
	make(group, 'text', { x: Math.min(430, Math.max(30, x)), y: y + below }, id.slice(id.indexOf('.') + 1));
	group.addEventListener('click', () => onLamp(id));
	group.addEventListener('keydown', (event) => {
		if (event.key === 'Enter' || event.key === ' ') {
			event.preventDefault();
			onLamp(id);
		}
	});
	return ({ room, entities }) => {
		const now = room.lamps[id];
		const color = toCss(now.rgb);
		inner.setAttribute('stop-color', color);
		outer.setAttribute('stop-color', color);
		const strength = now.kind === 'rgb' ? 0.3 + (now.brightness / 255) * 0.7 : 0.8;
		glow.style.opacity = String(now.on ? strength * 0.75 : 0);
		bulb.style.fill = now.on ? color : '#3a4150';
		group.setAttribute('aria-pressed', String(now.on));
		group.setAttribute('aria-label', `${now.name}, ${now.on ? 'on' : 'off'}`);
		showPresence(group, entities[id]);
	};
}

function createLift(svg) {
	const group = make(svg, 'g', { 'data-testid': 'plan-lift' });
	make(group, 'rect', {
		x: shaft.x,
		y: shaft.top,
		width: 44,
		height: shaft.height,
		rx: 4,
		fill: '#12141a',
		stroke: '#454d5e',
	});
	make(group, 'line', {
		x1: shaft.x + 22,
		y1: shaft.top + 4,
		x2: shaft.x + 22,
		y2: shaft.top + shaft.height - 4,
		stroke: '#2c313e',
	});
	const platform = make(group, 'g', { class: 'moving' });
	make(platform, 'rect', { x: shaft.x + 4, y: -16, width: 36, height: 16, rx: 3, fill: '#8fb4ff' });
	const label = make(group, 'text', { x: shaft.x + 22, y: shaft.top + shaft.height + 13 });
	const jam = make(group, 'text', { x: shaft.x + 22, y: shaft.top - 6, class: 'strong' });
	return ({ room, entities }) => {
		const { lift } = room;
		const y = shaft.top + shaft.height - 4 - (lift.position / 100) * (shaft.height - 24);
		platform.style.transform = `translate(0, ${y.toFixed(1)}px)`;
		label.textContent = `lift ${Math.round(lift.position)}%`;
		jam.textContent = lift.jam === 'none' ? (lift.relayUp && lift.relayDown ? 'conflict' : '') : 'jammed';
		showPresence(group, entities['cover.lift'] ?? entities['switch.lift_up']);
	};
}

function createVacuum(svg, docks) {
	make(docks, 'rect', { x: vacuumDock.x - 16, y: 340, width: 32, height: 8, rx: 2, fill: '#4a5264' });
	const group = make(svg, 'g', { class: 'moving', 'data-testid': 'plan-vacuum' });
	const halo = make(group, 'circle', { r: 24, class: 'halo', fill: '#ff6b5a' });
	const body = make(group, 'path', {
		d: 'M-14,6 L-14,-12 L14,-12 L14,6 A14,14 0 0 1 -14,6 Z',
		fill: '#c9cfdb',
		stroke: '#0009',
	});
	make(group, 'circle', { r: 5, cy: 2, fill: '#3d4454' });
	const label = make(group, 'text', { y: -18 });
	return ({ room, entities }) => {
		const { vacuum } = room;
		group.style.transform = `translate(${vacuum.at.x.toFixed(1)}px, ${vacuum.at.y.toFixed(1)}px)`;
		label.textContent = vacuum.error ? 'vacuum: error' : `vacuum: ${vacuum.activity}`;
		label.setAttribute('x', vacuum.at.x > 400 ? String(396 - vacuum.at.x) : '0');
		body.style.fill = vacuum.activity === 'cleaning' && !vacuum.error ? '#e6f4dc' : '#c9cfdb';
		group.classList.toggle('hazard', vacuum.error !== undefined);
		halo.style.opacity = '';
		showPresence(group, entities['vacuum.neato']);
	};
}

function createRover(svg, docks, id, first, color) {
	make(docks, 'rect', { x: first.dock.x - 14, y: 340, width: 28, height: 8, rx: 2, fill: color, opacity: 0.45 });
	const group = make(svg, 'g', { class: 'moving', 'data-testid': `plan-${id}` });
	make(group, 'circle', { r: 22, class: 'halo', fill: '#ff6b5a' });
	const chassis = make(group, 'g');
	for (const [x, y] of [
		[-9, -11],
		[5, -11],
		[-9, 7],
		[5, 7],
	]) {
		make(chassis, 'rect', { x, y, width: 7, height: 4, rx: 1.5, fill: '#05060a' });
	}
	make(chassis, 'rect', { x: -12, y: -8, width: 24, height: 16, rx: 5, fill: color, stroke: '#0009' });
	make(chassis, 'circle', { cx: 7, r: 3, fill: '#fff' });
	const label = make(group, 'text', { y: -17 });
	return ({ room, entities }) => {
		const rover = room.rovers[id];
		group.style.transform = `translate(${rover.at.x.toFixed(1)}px, ${rover.at.y.toFixed(1)}px)`;
		chassis.setAttribute('transform', `rotate(${rover.heading})`);
		label.textContent = rover.driver ? `${id} · ${shorten(rover.driver)}` : id;
		group.classList.toggle('hazard', rover.hazardLeftMs > 0);
		showPresence(group, entities[`binary_sensor.${id}_docked`]);
	};
}
