import { domainOf, type EntityState, isAvailable } from '../../../../core/home/entity.ts';
import type { Home, HomeCallRequest, HomeCallResult } from '../../../../core/home/home-port.ts';
import type { VirtualTime } from './virtual-time.ts';

export interface FakeHome extends Home {
	/** Every command that reached the house, in order. */
	readonly heard: readonly HomeCallRequest[];
	set(entityId: string, state: string, attributes?: Record<string, unknown>, contextId?: string): void;
	remove(entityId: string): void;
	connect(connected: boolean): void;
	/** Entities that answer `ok` and do nothing. */
	readonly inert: Set<string>;
	/** Answers instead of the house; `effect` still lets the command happen. */
	answer?: (request: HomeCallRequest) => { result: HomeCallResult; effect: boolean } | undefined;
	/** Called when a command arrives, before it has an effect. */
	onHear?: (request: HomeCallRequest) => void;
}

/** A house in memory that does what it is told at once, except what takes its time. */
export function createFakeHome(time: VirtualTime): FakeHome {
	const states = new Map<string, EntityState>();
	const watchers = new Set<(state: EntityState) => void>();
	const heard: HomeCallRequest[] = [];
	let connected = true;
	let contexts = 0;

	function set(entityId: string, state: string, attributes: Record<string, unknown> = {}, contextId = 'someone'): void {
		const before = states.get(entityId);
		const now = time.now();
		const next: EntityState = {
			entityId,
			state,
			attributes: { ...before?.attributes, ...attributes },
			available: isAvailable(entityId, state, attributes),
			lastChangedAt: before?.state === state ? before.lastChangedAt : now,
			lastUpdatedAt: now,
			contextId,
		};
		states.set(entityId, next);
		for (const watcher of [...watchers]) watcher(next);
	}

	function obey({ domain, service, entityId, data = {} }: HomeCallRequest, contextId: string): void {
		if (home.inert.has(entityId) || !states.has(entityId)) return;
		const become = (state: string | undefined, attributes?: Record<string, unknown>) => {
			if (state !== undefined) set(entityId, state, attributes, contextId);
		};
		if (domain === 'cover') become(service === 'open_cover' ? 'opening' : 'closing');
		else if (domain === 'vacuum') become({ start: 'cleaning', pause: 'paused', return_to_base: 'returning' }[service]);
		else if (domain === 'button') press(entityId);
		else if (domain === 'script') become('on', { last_triggered: time.now() });
		else if (service === 'set_value') become(String(data['value']));
		else {
			const { brightness_pct: percent, ...rest } = data;
			const brightness = typeof percent === 'number' ? { brightness: Math.round(percent * 2.55) } : {};
			become(service === 'turn_on' ? 'on' : 'off', { ...rest, ...brightness });
		}
	}

	function press(entityId: string): void {
		if (home.inert.has('robot')) return;
		const shown = (state: string) => {
			set('binary_sensor.charging', 'off', {}, 'robot');
			set('sensor.robot_state', state, {}, 'robot');
		};
		if (entityId === 'button.house_clean' && states.get('sensor.robot_state')?.state !== 'paused') shown('cleaning');
		if (entityId === 'button.resume' && states.get('sensor.robot_state')?.state === 'paused') shown('cleaning');
		if (entityId === 'button.pause') shown('paused');
		if (entityId === 'button.send_to_base' && states.get('sensor.robot_state')?.state !== 'cleaning')
			shown('returning');
		if (entityId === 'button.clear_errors') set('sensor.error', 'none', {}, 'robot');
	}

	const home: FakeHome = {
		heard,
		inert: new Set(),
		set,
		remove: (entityId) => void states.delete(entityId),
		connect(next) {
			connected = next;
		},
		status: () => ({ connected, phase: connected ? 'ready' : 'lost', since: 0 }),
		states: () => states,
		async call(request) {
			if (!connected) return { kind: 'unreachable' };
			if (domainOf(request.entityId) !== request.domain) throw new Error('wrong domain');
			home.onHear?.(request);
			const answer = home.answer?.(request);
			if (answer?.result.kind === 'unreachable' || answer?.result.kind === 'rejected') return answer.result;
			heard.push(request);
			contexts += 1;
			const contextId = `ctx${contexts}`;
			if (answer?.effect !== false) obey(request, contextId);
			return answer?.result ?? { kind: 'ok', contextId };
		},
		onChange: () => () => {},
		onStatus: () => () => {},
		waitFor: (entityId, predicate, deadlineMs, signal) =>
			new Promise((resolve) => {
				const done = new AbortController();
				const end = (state?: EntityState) => {
					watchers.delete(look);
					signal?.removeEventListener('abort', abort);
					done.abort();
					resolve(state);
				};
				const abort = () => end();
				const look = (state: EntityState) => {
					if (state.entityId === entityId && predicate(state)) end(state);
				};
				watchers.add(look);
				signal?.addEventListener('abort', abort);
				void time.sleep(deadlineMs, done.signal).then(() => end());
				const present = states.get(entityId);
				if (signal?.aborted) end();
				else if (present) look(present);
			}),
		start: () => {},
		stop: async () => {},
	};
	return home;
}
