/** What stands in the room now, read from Home Assistant or reported over HTTP. Missing knowledge is `undefined`. */
export interface WorldView {
	/** False while Home Assistant cannot be reached; everything below is then the last known. */
	readonly homeReady: boolean;
	readonly homePhase: string;
	readonly rovers: readonly RoverView[];
	/** Absent when the room has none. */
	readonly lift?: LiftView;
	readonly neato?: NeatoView;
	readonly lights: readonly LightView[];
	readonly scripts: readonly { readonly entityId: string; readonly label: string; readonly available: boolean }[];
	/** Somebody is in the room by a presence entity; absent without such entities. */
	readonly present?: boolean;
}

export interface RoverView {
	readonly id: string;
	readonly driving: boolean;
	readonly driver?: string;
	readonly docked?: boolean;
	readonly charging?: boolean;
	readonly hazard?: string;
	readonly available: boolean;
}

/** `conflict`: both switches on. `busy`: moving, or within the time that a move takes. `stale`: stuck in a motion state. */
export interface LiftView {
	readonly position: 'up' | 'down' | 'stopped' | 'opening' | 'closing' | 'conflict' | 'unknown';
	readonly busy: boolean;
	readonly available: boolean;
	readonly stale?: boolean;
}

export interface NeatoView {
	readonly connected: boolean;
	readonly state: 'cleaning' | 'docked' | 'idle' | 'paused' | 'returning' | 'error' | 'unknown';
	readonly charging?: boolean;
	readonly error?: string;
	readonly alert?: string;
	/** False where no working service for it is configured. */
	readonly canClearErrors: boolean;
}

export interface LightView {
	readonly entityId: string;
	readonly label: string;
	readonly show: 'state' | 'color';
	readonly state: 'on' | 'off' | 'unknown' | 'unavailable' | 'missing';
	readonly available: boolean;
	readonly color?: string;
	readonly brightnessPct?: number;
	/** Names in Home Assistant, for forgiving arguments. Untrusted text. */
	readonly friendlyName?: string;
	readonly colorModes: readonly string[];
}
