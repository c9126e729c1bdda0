/**
 * Lines of work, one for each key, kept in order. Few lines are served at once, one piece each before the next line's turn,
 * so that a long line keeps no short one waiting for its end.
 */
export interface FairLines<Piece> {
	add(key: string, piece: Piece): void;
	/** Lines that rest after a failure go on at once. */
	retry(): void;
	/** Forgets all that was not begun. */
	clear(): void;
	/** Begins nothing more and waits for what is under way. */
	stop(): Promise<void>;
}

export interface FairLinesDeps<Piece> {
	/**
	 * `tries`: how often this piece came before. False: it comes again after `retryMs`. A rejection is a failure: the same with
	 * longer and longer waits, and the rest of its line waits with it.
	 */
	readonly work: (piece: Piece, tries: number) => Promise<boolean>;
	readonly onFailure: (key: string, error: unknown) => void;
	/** Nothing can be done for anybody at the moment; `retry` says when it can. */
	readonly isAway: () => boolean;
	readonly parallel: number;
	readonly retryMs: number;
	readonly lastRetryMs: number;
}

interface Line<Piece> {
	readonly key: string;
	readonly pieces: Piece[];
	tries: number;
	failures: number;
	/** Running while it rests. */
	timer?: NodeJS.Timeout | undefined;
}

export function createFairLines<Piece>(deps: FairLinesDeps<Piece>): FairLines<Piece> {
	const lines = new Map<string, Line<Piece>>();
	const ready = new Set<Line<Piece>>();
	const busy = new Set<Promise<void>>();
	let isStopped = false;

	const serve = () => {
		for (const line of ready) {
			if (isStopped || busy.size >= deps.parallel || deps.isAway()) return;
			ready.delete(line);
			const turn = take(line).finally(() => {
				busy.delete(turn);
				serve();
			});
			busy.add(turn);
		}
	};

	/** One piece; then the line stands behind all others, rests, or is over. */
	const take = async (line: Line<Piece>) => {
		const [piece] = line.pieces;
		if (piece === undefined) return leave(line);
		let restMs = deps.retryMs;
		try {
			if (await deps.work(piece, line.tries)) {
				if (line.pieces[0] === piece) line.pieces.shift();
				line.tries = 0;
				line.failures = 0;
				return line.pieces.length === 0 ? leave(line) : void ready.add(line);
			}
		} catch (error) {
			deps.onFailure(line.key, error);
			restMs = Math.min(deps.lastRetryMs, deps.retryMs * 2 ** line.failures);
			line.failures += 1;
		}
		line.tries += 1;
		if (isStopped) return;
		line.timer = setTimeout(() => {
			wake(line);
			serve();
		}, restMs);
	};

	const leave = (line: Line<Piece>) => {
		if (lines.get(line.key) === line) lines.delete(line.key);
	};

	const wake = (line: Line<Piece>) => {
		clearTimeout(line.timer);
		line.timer = undefined;
		ready.add(line);
	};

	return {
		add(key, piece) {
			const standing = lines.get(key);
			const line = standing ?? { key, pieces: [], tries: 0, failures: 0 };
			line.pieces.push(piece);
			if (standing !== undefined) return;
			lines.set(key, line);
			ready.add(line);
			serve();
		},
		retry() {
			for (const line of lines.values()) if (line.timer !== undefined) wake(line);
			serve();
		},
		clear() {
			for (const line of lines.values()) {
				line.pieces.length = 0;
				if (line.timer !== undefined) wake(line);
			}
			serve();
		},
		async stop() {
			isStopped = true;
			for (const { timer } of lines.values()) clearTimeout(timer);
			await Promise.all(busy);
		},
	};
}
