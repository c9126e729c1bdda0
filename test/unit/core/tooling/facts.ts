import { OPEN_SITE } from '../../../../core/overseer/site.ts';
import type { LightView, WorldView } from '../../../../core/overseer/world.ts';
import type { ToolFacts } from '../../../../core/tooling/facts.ts';

const lamp = (entityId: string, label: string, more: Partial<LightView> = {}): LightView => ({
	entityId,
	label,
	show: 'state',
	state: 'off',
	available: true,
	colorModes: ['onoff'],
	...more,
});

/** The sample room in order: everything there, nothing moving. */
export const calmWorld: WorldView = {
	homeReady: true,
	homePhase: 'ready',
	rovers: [],
	lights: [
		lamp('light.shelf', 'shelf', { colorModes: ['color_temp', 'hs'], friendlyName: 'Shelf RGB bulb' }),
		lamp('light.bench', 'bench lamp'),
		lamp('switch.corner', 'corner', { colorModes: [] }),
	],
	lift: { position: 'down', busy: false, available: true },
	neato: { connected: true, state: 'idle', charging: false, canClearErrors: true },
	scripts: [{ entityId: 'script.movie', label: 'movie night', available: true }],
};

export const NOW = 1_700_000_000_000;

export function factsOf(more: Partial<ToolFacts> = {}): ToolFacts {
	return {
		now: NOW,
		stage: 'full',
		site: OPEN_SITE,
		world: calmWorld,
		readyAt: {},
		budget: { minuteUsed: 0, hourUsed: 0 },
		direct: false,
		votedQuiet: false,
		running: [],
		...more,
	};
}
