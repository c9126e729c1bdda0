import { type Client, Events } from 'discord.js';

/** Why a client was given up: it says it is connected, or says nothing, and hears no events any more. */
export type StuckReason = 'resume_unanswered' | 'reconnect_unanswered';

export interface WatchdogOptions {
	/** How long a lost connection may take until events flow again. */
	readonly timeoutMs: number;
	/** Called at most once; the client should be destroyed and replaced. */
	readonly onStuck: (reason: StuckReason) => void;
}

/**
 * discord.js waits for ever for the answer to a resume, and calls itself ready meanwhile. This counts from the loss of
 * the connection until RESUMED or a new session. Returns the remover.
 */
export function watchReconnects(client: Client, { timeoutMs, onStuck }: WatchdogOptions): () => void {
	let timer: NodeJS.Timeout | undefined;
	let isResuming = false;
	const settle = () => {
		clearTimeout(timer);
		timer = undefined;
		isResuming = false;
	};
	const lost = () => {
		if (timer !== undefined) return;
		timer = setTimeout(() => {
			const reason = isResuming ? 'resume_unanswered' : 'reconnect_unanswered';
			stop();
			onStuck(reason);
		}, timeoutMs);
	};
	const heard = (text: string) => {
		if (text.includes('Resuming session')) isResuming = true;
	};
	const stop = () => {
		settle();
		client.off(Events.ShardReconnecting, lost);
		client.off(Events.ShardResume, settle);
		client.off(Events.ShardReady, settle);
		client.off(Events.Debug, heard);
	};
	client.on(Events.ShardReconnecting, lost);
	client.on(Events.ShardResume, settle);
	client.on(Events.ShardReady, settle);
	client.on(Events.Debug, heard);
	return stop;
}
