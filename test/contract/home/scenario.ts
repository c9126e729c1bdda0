import type { HomeCallRequest } from '../../../core/home/home-port.ts';
import type { ConnectedHome, openConnectedHome } from './connected-home.ts';
import type { HomeRig } from './home-rig.ts';

/** Opens a fresh adapter on the shared rig; it is closed after the test. */
type OpenHome = (timing?: Parameters<typeof openConnectedHome>[1]) => Promise<ConnectedHome>;

export interface Scenario {
	readonly rig: () => HomeRig;
	readonly open: OpenHome;
}

/** Generous, because a slow machine may run the house beside other things. */
export const callDeadlineMs = 20_000;
export const stateDeadlineMs = 30_000;

export function request(entityId: string, service: string, data?: HomeCallRequest['data']): HomeCallRequest {
	const domain = entityId.slice(0, entityId.indexOf('.'));
	return { domain, service, entityId, deadlineMs: callDeadlineMs, ...(data && { data }) };
}
