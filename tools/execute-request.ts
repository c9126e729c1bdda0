import type { WorldView } from '../core/overseer/world.ts';
import type { ProposedCall } from '../core/tooling/call.ts';

export interface ExecuteRequest {
	readonly roomId: string;
	readonly decisionId: string;
	readonly call: ProposedCall;
	readonly trigger: string;
	/** Person or event behind it. */
	readonly cause?: string;
	/** The decision answers a person who addressed us. */
	readonly direct: boolean;
	/** The world that the decision was made on; an action is dropped when what it touches is another by now. */
	readonly expectedWorld?: WorldView;
	/** Trace context of the decision behind it. */
	readonly trace?: string | undefined;
	/** Gives the call up. What has left for the house is not called back. */
	readonly signal?: AbortSignal;
}
