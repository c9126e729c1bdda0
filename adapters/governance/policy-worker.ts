import { parentPort, workerData } from 'node:worker_threads';
import { closeRealm } from './close-realm.ts';
import {
	createPolicyEngine,
	type EngineAnswer,
	type EngineLoad,
	type EngineSetup,
	type PacketFacts,
} from './policy-engine.ts';

/** What this thread is asked. */
export interface ThreadRequest {
	readonly id: number;
	readonly packet: PacketFacts;
}

/** What it says: once `ready`, then one answer for each request. After `broken` it ends. */
export type ThreadReply =
	| { readonly kind: 'ready'; readonly loaded: EngineLoad }
	| { readonly kind: 'answer'; readonly id: number; readonly answer: EngineAnswer }
	| { readonly kind: 'broken'; readonly detail: string };

const port = parentPort;
if (!port) throw new Error('runs as a worker thread only');
const tell = (reply: ThreadReply) => port.postMessage(reply);

/** Broken engines throw errors, exit codes and plain objects alike. */
function tellBroken(error: unknown): void {
	tell({ kind: 'broken', detail: error instanceof Error ? error.message.slice(0, 200) : 'the engine ended' });
	port?.close();
}

try {
	const engine = await createPolicyEngine(workerData as EngineSetup);
	closeRealm();
	port.on('message', ({ id, packet }: ThreadRequest) => {
		try {
			tell({ kind: 'answer', id, answer: engine.evaluate(packet) });
		} catch (error) {
			tellBroken(error);
		}
	});
	tell({ kind: 'ready', loaded: engine.loaded });
} catch (error) {
	tellBroken(error);
}
