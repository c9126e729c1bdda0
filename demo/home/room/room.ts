/** A point on the floor plan, in centimetres from the upper left corner. */
export interface Point {
	readonly x: number;
	readonly y: number;
}

export interface Lamp {
	readonly name: string;
	/** `rgb` takes colour and brightness, `onoff` only on and off, `switch` is a lamp behind a switch entity. */
	readonly kind: 'rgb' | 'onoff' | 'switch';
	readonly at: Point;
	readonly on: boolean;
	/** 1 to 255. */
	readonly brightness: number;
	readonly rgb: readonly [number, number, number];
}

/** `stuck`: the motor hums and nothing moves. `never_reports`: it moves, but the cover stays in `opening` or `closing`. */
export type LiftJam = 'none' | 'stuck' | 'never_reports';

export interface Lift {
	/** 0 is down, 100 is up. */
	readonly position: number;
	readonly relayUp: boolean;
	readonly relayDown: boolean;
	/** Relays fall back by themselves at the end of travel when the cover commanded it; as switches they stay on. */
	readonly relaysReleaseAtEnd: boolean;
	/** What the cover entity says it is doing; differs from the truth when the lift never reports. */
	readonly reported: 'opening' | 'closing' | 'still';
	readonly jam: LiftJam;
}

type VacuumActivity = 'docked' | 'cleaning' | 'paused' | 'returning' | 'idle';

export interface Vacuum {
	readonly activity: VacuumActivity;
	/** Neato's own text, such as `UI_ERROR_BRUSH_STUCK`; absent when all is well. */
	readonly error?: string;
	/** Text of an alert that outlives the cleaning, such as a full dust bin. */
	readonly alert?: string;
	readonly at: Point;
	readonly target: Point;
	readonly battery: number;
	readonly cleanLeftMs: number;
	/** How often it has been asked to play its sound. */
	readonly located: number;
}

export interface Rover {
	/** Empty when nobody drives it. */
	readonly driver: string;
	readonly activity: 'docked' | 'driving' | 'docking' | 'stopped';
	readonly at: Point;
	readonly dock: Point;
	readonly target: Point;
	readonly heading: number;
	readonly battery: number;
	/** Above zero while the bump sensor holds. */
	readonly hazardLeftMs: number;
	/** After a bump it backs away and cannot bump again for a moment. */
	readonly graceLeftMs: number;
}

export interface Running {
	readonly leftMs: number;
}

/** The whole simulated room: plain data, replaced and never changed in place. */
export interface Room {
	/** State of the random sequence, so that the same seed plays the same room. */
	readonly random: number;
	readonly pace: Pace;
	readonly lamps: Readonly<Record<string, Lamp>>;
	readonly lift: Lift;
	readonly vacuum: Vacuum;
	readonly rovers: Readonly<Record<string, Rover>>;
	readonly somebodyPresent: boolean;
	/** Epoch milliseconds of the last press, by button entity id. */
	readonly pressedAt: Readonly<Record<string, number>>;
	readonly scripts: Readonly<Record<string, Running>>;
}

/** How fast things go; short times make fast tests. */
export interface Pace {
	/** Milliseconds from fully down to fully up. */
	readonly liftTravelMs: number;
	/** Milliseconds one cleaning lasts. */
	readonly cleanMs: number;
	/** Centimetres per second of the vacuum and the rovers. */
	readonly driveSpeed: number;
	/** Milliseconds a script runs. */
	readonly scriptMs: number;
}

export const roomSize = { width: 460, height: 360 } as const;
export const vacuumDock: Point = { x: 424, y: 322 };
const defaultPace: Pace = { liftTravelMs: 12_000, cleanMs: 60_000, driveSpeed: 42, scriptMs: 1_500 };

function lamp(name: string, kind: Lamp['kind'], at: Point, on: boolean, rgb: Lamp['rgb']): Lamp {
	return { name, kind, at, on, brightness: 204, rgb };
}

function parkedRover(x: number): Rover {
	const dock = { x, y: 326 };
	return {
		driver: '',
		activity: 'docked',
		at: dock,
		dock,
		target: dock,
		heading: -90,
		battery: 92,
		hazardLeftMs: 0,
		graceLeftMs: 0,
	};
}

/** The room as it is found: lift down, vacuum and rovers on their docks, some lamps on. */
export function createRoom(seed = 1, pace: Partial<Pace> = {}): Room {
	return {
		random: seed >>> 0,
		pace: { ...defaultPace, ...pace },
		lamps: {
			'light.shelf': lamp('Shelf lamp', 'rgb', { x: 74, y: 30 }, true, [255, 190, 110]),
			'light.bench': lamp('Bench lamp', 'rgb', { x: 230, y: 30 }, false, [255, 214, 170]),
			'light.corner': lamp('Corner lamp', 'rgb', { x: 424, y: 34 }, true, [120, 200, 255]),
			'light.color': lamp('Color strip', 'rgb', { x: 20, y: 190 }, true, [160, 60, 255]),
			'light.aux1': lamp('Aux lamp one', 'onoff', { x: 330, y: 30 }, false, [255, 224, 180]),
			'switch.aux2': lamp('Aux lamp two', 'switch', { x: 440, y: 190 }, true, [255, 224, 180]),
		},
		lift: {
			position: 0,
			relayUp: false,
			relayDown: false,
			relaysReleaseAtEnd: true,
			reported: 'still',
			jam: 'none',
		},
		vacuum: {
			activity: 'docked',
			at: vacuumDock,
			target: vacuumDock,
			battery: 86,
			cleanLeftMs: 0,
			located: 0,
		},
		rovers: { rover1: parkedRover(56), rover2: parkedRover(112), rover3: parkedRover(168) },
		somebodyPresent: false,
		pressedAt: {},
		scripts: {},
	};
}
