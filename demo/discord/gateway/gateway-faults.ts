/** How the gateway misbehaves on request. Applies to every bot. */
export interface GatewayFaults {
	/** `refuse` answers op 9 false, `refuse-resumable` op 9 true, `ignore` never answers. */
	resume: 'normal' | 'refuse' | 'refuse-resumable' | 'ignore';
	/** `ignore` never answers an IDENTIFY; `refuse` answers op 9 false. */
	identify: 'normal' | 'refuse' | 'ignore';
	/** Heartbeats are not acknowledged. */
	stallHeartbeats: boolean;
	/** Events are recorded in the session but not sent, as on a half-dead connection. */
	stallEvents: boolean;
	/** New connections are cut during the handshake. */
	refuseConnections: boolean;
}

export function createGatewayFaults(): GatewayFaults {
	return {
		resume: 'normal',
		identify: 'normal',
		stallHeartbeats: false,
		stallEvents: false,
		refuseConnections: false,
	};
}
