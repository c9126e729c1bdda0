import type { FleetScene } from '../scene.ts';
import { asked } from './asked.ts';
import { hostileScenes } from './hostile.ts';
import { quiet } from './quiet.ts';
import { relays } from './relays.ts';
import { reports } from './reports.ts';

/** Every scene by its group. */
export const FLEET_SCENES: Readonly<Record<string, readonly FleetScene[]>> = {
	reports,
	quiet,
	asked,
	relays,
	hostile: hostileScenes,
};
