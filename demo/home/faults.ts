/** What should go wrong with the next matching service call. */
export interface Fault {
	/** Empty fields match everything. */
	readonly domain?: string;
	readonly service?: string;
	readonly entityId?: string;
	/**
	 * `hang`: never answered. `delay`: answered after `delayMs`. `reject`: refused with `code` and `message`. `no_effect`:
	 * success without doing anything. `drop`: the socket is cut instead of an answer.
	 */
	readonly kind: 'hang' | 'delay' | 'reject' | 'no_effect' | 'drop';
	/** For `hang`, `delay` and `drop`: whether the device acts all the same (default true). */
	readonly acts?: boolean;
	readonly delayMs?: number;
	readonly code?: string;
	readonly message?: string;
	/** How many calls it spoils (default 1). */
	readonly times?: number;
}

export interface FaultList {
	add(fault: Fault): void;
	/** The oldest fault that matches, used up by one. */
	take(call: { domain: string; service: string; entityIds: readonly string[] }): Fault | undefined;
	list(): readonly Fault[];
	clear(): void;
}

export function createFaultList(): FaultList {
	let faults: { fault: Fault; left: number }[] = [];
	return {
		add(fault) {
			faults.push({ fault, left: fault.times ?? 1 });
		},
		take({ domain, service, entityIds }) {
			const found = faults.find(
				({ fault }) =>
					(fault.domain ?? domain) === domain &&
					(fault.service ?? service) === service &&
					(fault.entityId === undefined || entityIds.includes(fault.entityId)),
			);
			if (!found) return undefined;
			found.left -= 1;
			faults = faults.filter(({ left }) => left > 0);
			return found.fault;
		},
		list: () => faults.map(({ fault, left }) => ({ ...fault, times: left })),
		clear() {
			faults = [];
		},
	};
}
