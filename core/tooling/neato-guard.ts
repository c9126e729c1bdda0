import type { NeatoView } from '../overseer/world.ts';
import type { BlockReason } from './facts.ts';

export type NeatoTool = 'neato_start' | 'neato_send_home' | 'neato_locate' | 'neato_clear_errors';

const already: BlockReason = { code: 'already' };
const inError: BlockReason = { code: 'unavailable', detail: 'error' };
const unknownState: BlockReason = { code: 'unavailable', detail: 'unknown_state' };

/** The table: what a movement command may not do in which state. A state that is not known allows no movement. */
const movement: Readonly<
	Record<'neato_start' | 'neato_send_home', Readonly<Partial<Record<NeatoView['state'], BlockReason>>>>
> = {
	neato_start: {
		cleaning: already,
		returning: { code: 'busy', detail: 'returning' },
		error: inError,
		unknown: unknownState,
	},
	neato_send_home: { docked: already, returning: already, error: inError, unknown: unknownState },
};

/** Why a vacuum command makes no sense now. Alerts (a full dust bin) block nothing: they outlive the cleaning. */
export function neatoReasons(tool: NeatoTool, neato: NeatoView | undefined): BlockReason[] {
	if (neato === undefined) return [{ code: 'unavailable', detail: 'not_found' }];
	if (!neato.connected) return [{ code: 'unavailable', detail: 'offline' }];
	if (tool === 'neato_locate') return [];
	if (tool === 'neato_clear_errors') {
		if (!neato.canClearErrors) return [{ code: 'unsupported' }];
		return neato.state === 'error' || neato.error !== undefined ? [] : [{ code: 'already', detail: 'no_error' }];
	}
	const reason = movement[tool][neato.state];
	if (reason !== undefined) return [reason];
	// It idles on its base: some robots never say docked.
	const onBase = tool === 'neato_send_home' && neato.state === 'idle' && neato.charging === true;
	return onBase ? [already] : [];
}
