/** Something that is to go wrong with matching REST requests. */
export interface RestFault {
	/** Upper case; any method when left out. */
	method?: string;
	/** Path below /api/v10; `*` stands for one segment, `**` for any rest. Everything when left out. */
	path?: string;
	kind: 'rate-limit' | 'error' | 'latency' | 'hang' | 'drop';
	/** How many requests it hits; for ever when left out. */
	times?: number;
	/** `error`: HTTP status, Discord code and message. */
	status?: number;
	code?: number;
	message?: string;
	/** `rate-limit`: seconds to wait in headers and body, in ms here. */
	retryAfterMs?: number;
	global?: boolean;
	scope?: 'user' | 'shared' | 'global';
	/** `rate-limit`: leave the headers out, as some proxies do. */
	withoutHeaders?: boolean;
	/** `latency`: delay before the request is handled. */
	delayMs?: number;
	/** `latency`, `hang`, `drop`: the request takes effect before the answer is delayed or lost. */
	afterEffect?: boolean;
}

export interface ArmedFault extends RestFault {
	id: number;
	hits: number;
}

export interface RestFaults {
	add(fault: RestFault): ArmedFault;
	remove(id: number): boolean;
	clear(): void;
	list(): readonly ArmedFault[];
	/** Takes the first fault that fits and counts the hit. */
	take(method: string, path: string): ArmedFault | undefined;
}

function toPattern(glob: string): RegExp {
	const escaped = glob
		.split('**')
		.map((part) =>
			part
				.split('*')
				.map((piece) => piece.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
				.join('[^/]+'),
		)
		.join('.*');
	return new RegExp(`^${escaped}$`);
}

export function createRestFaults(): RestFaults {
	let nextId = 1;
	let faults: ArmedFault[] = [];
	return {
		add: (fault) => {
			const armed = { ...fault, id: nextId, hits: 0 };
			nextId += 1;
			faults.push(armed);
			return armed;
		},
		remove: (id) => {
			const before = faults.length;
			faults = faults.filter((one) => one.id !== id);
			return faults.length < before;
		},
		clear: () => {
			faults = [];
		},
		list: () => faults,
		take: (method, path) => {
			const fault = faults.find(
				(one) =>
					(one.method === undefined || one.method === method) &&
					(one.path === undefined || toPattern(one.path).test(path)) &&
					(one.times === undefined || one.hits < one.times),
			);
			if (fault !== undefined) fault.hits += 1;
			return fault;
		},
	};
}
