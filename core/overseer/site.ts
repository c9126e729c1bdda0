export type SiteMode = 'open' | 'admin' | 'lockdown';
export type LightsLock = 'none' | 'on' | 'off';

/** Policy that admins set for the whole site; it outranks every model. */
export interface SitePolicy {
	readonly mode: SiteMode;
	readonly lightsLock: LightsLock;
	/** Global kill switch: no model call and no action anywhere. */
	readonly paused: boolean;
}

export const OPEN_SITE: SitePolicy = { mode: 'open', lightsLock: 'none', paused: false };
