/** How an edit ended when the house is being left: nothing was written. Whoever still needs it asks again later. */
export class EditDropped extends Error {
	readonly code = 'edit_dropped';
	constructor() {
		super('the bot is stopping, the edit was not made');
	}
}

/** Makes one edit with what is to be shown by now. False: there was nothing to write. It must end by itself. */
export type WriteEdit = () => Promise<unknown>;

/**
 * Edits of messages, about one a second in each channel however many of its messages change. Answers to interactions are no
 * edits of a channel and do not come here.
 */
export interface EditPace {
	/**
	 * Writes when it is this message's turn, at once in a channel that was quiet. Messages take turns in the order in which
	 * they were first asked for. A newer wish for a message that still waits takes the older one's place, and both share its
	 * end. `messageKey` is whatever its keeper calls the message. Rejects with what `write` rejects with, or `EditDropped`.
	 */
	edit(channelId: string, messageKey: string, write: WriteEdit): Promise<void>;
	/** Drops what waits, lets what is under way end. */
	stop(): Promise<void>;
}

interface Wish {
	write: WriteEdit;
	readonly end: PromiseWithResolvers<void>;
}

const GAP_MS = 1_000;

/** `gapMs`: from the end of one edit to the beginning of the next, so that no slow request brings two together. */
export function createEditPace(gapMs: number = GAP_MS): EditPace {
	/** Wishes of each channel that is not quiet, in the order of their turns. */
	const lines = new Map<string, Map<string, Wish>>();
	const served = new Set<Promise<void>>();
	const pauses = new Set<() => void>();
	let isStopped = false;

	const pause = () =>
		new Promise<void>((resolve) => {
			const end = () => {
				clearTimeout(timer);
				pauses.delete(end);
				resolve();
			};
			const timer = setTimeout(end, gapMs);
			pauses.add(end);
		});

	const serve = async (channelId: string, line: Map<string, Wish>) => {
		for (let next = line.entries().next(); !next.done; next = line.entries().next()) {
			const [messageKey, { write, end }] = next.value;
			line.delete(messageKey);
			let isWritten = true;
			try {
				isWritten = (await write()) !== false;
				end.resolve();
			} catch (error) {
				end.reject(error);
			}
			if (isWritten && !isStopped) await pause();
		}
		lines.delete(channelId);
	};

	return {
		async edit(channelId, messageKey, write) {
			if (isStopped) throw new EditDropped();
			const standing = lines.get(channelId);
			const line = standing ?? new Map<string, Wish>();
			const wish = line.get(messageKey) ?? { write, end: withResolvers() };
			wish.write = write;
			line.set(messageKey, wish);
			if (standing === undefined) {
				lines.set(channelId, line);
				const work = serve(channelId, line).finally(() => served.delete(work));
				served.add(work);
			}
			return wish.end.promise;
		},
		async stop() {
			isStopped = true;
			for (const line of lines.values()) {
				for (const { end } of line.values()) end.reject(new EditDropped());
				line.clear();
			}
			for (const end of [...pauses]) end();
			await Promise.all(served);
		},
	};
}

interface PromiseWithResolvers<Value> {
	readonly promise: Promise<Value>;
	readonly resolve: (value: Value) => void;
	readonly reject: (reason: unknown) => void;
}

function withResolvers(): PromiseWithResolvers<void> {
	let resolve: () => void = () => {};
	let reject: (reason: unknown) => void = () => {};
	const promise = new Promise<void>((yes, no) => {
		resolve = yes;
		reject = no;
	});
	return { promise, resolve, reject };
}
