import type { TypingSignal } from '../../core/chat/bus-port.ts';
import type { Clock } from '../../core/ports.ts';

/** One pulse shows for about ten seconds. */
const PULSE_EVERY_MS = 8_000;
/** No generation is worth a longer promise. */
const LONGEST_MS = 5 * 60_000;

export interface TypingDeps {
	/** Sends one pulse; false when the place will not take any. */
	readonly pulse: (room: string) => Promise<boolean>;
	readonly clock: Clock;
}

export interface Typing {
	hear(signal: TypingSignal): void;
	/** Ends the scope of a source: it spoke, or gave up. */
	end(room: string, source: string): void;
	stop(): void;
}

/** Typing shown in channels. Each source owns one scope a room, which ends with its line, its time or a stop. */
export function createTyping({ pulse, clock }: TypingDeps): Typing {
	const scopes = new Map<string, { until: number; timer: NodeJS.Timeout }>();
	const keyOf = (room: string, source: string) => `${room}\u0000${source}`;

	const end = (key: string) => {
		const scope = scopes.get(key);
		if (scope === undefined) return;
		clearTimeout(scope.timer);
		scopes.delete(key);
	};

	const beat = async (key: string, room: string) => {
		const isTaken = await pulse(room).catch(() => false);
		const scope = scopes.get(key);
		if (scope === undefined) return;
		if (!isTaken || clock.now() + PULSE_EVERY_MS >= scope.until) return end(key);
		scope.timer = setTimeout(() => void beat(key, room), PULSE_EVERY_MS);
	};

	return {
		hear({ room, source, until }) {
			const key = keyOf(room, source);
			const capped = Math.min(until, clock.now() + LONGEST_MS);
			const scope = scopes.get(key);
			if (capped <= clock.now()) return end(key);
			if (scope !== undefined) {
				scope.until = capped;
				return;
			}
			scopes.set(key, { until: capped, timer: setTimeout(() => void beat(key, room), 0) });
		},
		end: (room, source) => end(keyOf(room, source)),
		stop() {
			for (const key of [...scopes.keys()]) end(key);
		},
	};
}
