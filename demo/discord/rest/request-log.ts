/** One REST request as it was received and answered. */
export interface LoggedRequest {
	/** Grows by one; `after` in queries refers to it. */
	seq: number;
	atMs: number;
	method: string;
	/** Path below /api/v10, decoded. */
	path: string;
	/** The path with ids, tokens and emoji replaced: "POST /channels/:id/messages". */
	route: string;
	query: Record<string, string>;
	/** Name of the bot whose token was sent. */
	bot: string | null;
	body: unknown;
	files: { name: string; contentType: string; size: number }[];
	auditReason: string | null;
	/** 0 while the request is still being answered or when it was cut. */
	status: number;
	/** Discord's error code, when refused. */
	code: number | null;
}

export interface RequestLog {
	open(entry: Omit<LoggedRequest, 'seq' | 'status' | 'code'>): LoggedRequest;
	/** Called when the answer is known. */
	settle(entry: LoggedRequest, status: number, code: number | null): void;
	list(): readonly LoggedRequest[];
	clear(): void;
	onSettled(listener: (entry: LoggedRequest) => void): () => void;
}

const capacity = 5000;

export function createRequestLog(): RequestLog {
	let seq = 0;
	let entries: LoggedRequest[] = [];
	const listeners = new Set<(entry: LoggedRequest) => void>();
	return {
		open: (entry) => {
			seq += 1;
			const logged = { ...entry, seq, status: 0, code: null };
			entries.push(logged);
			if (entries.length > capacity) entries.shift();
			return logged;
		},
		settle: (entry, status, code) => {
			entry.status = status;
			entry.code = code;
			for (const listener of [...listeners]) listener(entry);
		},
		list: () => entries,
		clear: () => {
			entries = [];
		},
		onSettled: (listener) => {
			listeners.add(listener);
			return () => {
				listeners.delete(listener);
			};
		},
	};
}
