import type { WebSocket } from 'ws';
import { compressChange, compressEntry, expandEntry } from './compressed-state.ts';
import { type Context, createContext, type EntryChange } from './entity-table.ts';
import type { Fault } from './faults.ts';
import type { House, HouseAnswer } from './house.ts';
import { describeConfig, describeServices, haVersion } from './server-info.ts';

type Json = Record<string, unknown>;

/** One service call as it arrived, for tests to read. */
export interface ReceivedCall {
	/** Epoch milliseconds. */
	readonly at: number;
	readonly connection: number;
	readonly domain: string;
	readonly service: string;
	readonly entityIds: readonly string[];
	readonly data: Json;
	readonly contextId: string;
	/** Entities that really acted. */
	readonly executed: readonly string[];
	readonly outcome: 'ok' | 'rejected' | Fault['kind'];
}

export interface SessionDeps {
	readonly connection: number;
	readonly socket: WebSocket;
	readonly house: House;
	readonly userId: string;
	readonly isTokenValid: (token: string) => boolean;
	/** Whether incoming messages are to be left unread, as by a half-open line. */
	readonly isStalled: () => boolean;
	readonly takeFault: (call: { domain: string; service: string; entityIds: readonly string[] }) => Fault | undefined;
	readonly onFrame: (frame: Json) => void;
	readonly onCall: (call: ReceivedCall) => void;
}

export interface ClientSession {
	isAuthenticated(): boolean;
	close(): void;
}

/** Speaks Home Assistant's WebSocket protocol with one client until its socket closes. */
export function createClientSession(deps: SessionDeps): ClientSession {
	const { socket, house } = deps;
	const removers = new Map<number, () => void>();
	const timers = new Set<NodeJS.Timeout>();
	let authenticated = false;
	let coalesces = false;
	let lastId = 0;
	let outbox: Json[] = [];

	/** Messages of one turn leave together: as one array for a client that asked for it. */
	function send(message: Json): void {
		outbox.push(message);
		if (outbox.length === 1) setImmediate(flush);
	}

	function flush(): void {
		const messages = outbox;
		outbox = [];
		if (deps.isStalled() || socket.readyState !== socket.OPEN) return;
		if (coalesces && messages.length > 1) socket.send(JSON.stringify(messages));
		else for (const message of messages) socket.send(JSON.stringify(message));
	}

	const result = (id: number, value: unknown = null) => send({ id, type: 'result', success: true, result: value });
	const failure = (id: number, code: string, message: string) =>
		send({ id, type: 'result', success: false, error: { code, message } });
	const event = (id: number, value: unknown) => send({ id, type: 'event', event: value });

	function authenticate(frame: Json): void {
		const token = frame['access_token'];
		deps.onFrame({ ...frame, access_token: '(hidden)' });
		if (frame['type'] === 'auth' && typeof token === 'string' && deps.isTokenValid(token)) {
			authenticated = true;
			send({ type: 'auth_ok', ha_version: haVersion });
			return;
		}
		send({ type: 'auth_invalid', message: 'Invalid access token or password' });
		setImmediate(() => setImmediate(() => socket.close()));
	}

	function follow(id: number, listener: (change: EntryChange) => void): void {
		removers.set(id, house.table.onChange(listener));
	}

	function subscribeEntities(id: number, frame: Json): void {
		const wanted = frame['entity_ids'];
		if (wanted !== undefined && !(Array.isArray(wanted) && wanted.every((item) => typeof item === 'string'))) {
			failure(id, 'invalid_format', "expected a list of entity ids for dictionary value @ data['entity_ids']");
			return;
		}
		const ids = new Set<string>(wanted);
		const follows = (entityId: string) => ids.size === 0 || ids.has(entityId);
		follow(id, (change) => {
			if (follows(change.entityId)) event(id, compressChange(change));
		});
		result(id);
		const present = [...house.table.entries().values()].filter(({ entityId }) => follows(entityId));
		event(id, { a: Object.fromEntries(present.map((entry) => [entry.entityId, compressEntry(entry)])) });
	}

	function subscribeEvents(id: number, frame: Json): void {
		const type = frame['event_type'];
		follow(id, ({ entityId, before, after }) => {
			if (type !== undefined && type !== 'state_changed') return;
			const data = {
				entity_id: entityId,
				old_state: before ? expandEntry(before) : null,
				new_state: after ? expandEntry(after) : null,
			};
			const context = after?.context ?? createContext();
			event(id, {
				event_type: 'state_changed',
				data,
				origin: 'LOCAL',
				time_fired: new Date(house.now()).toISOString(),
				context: { id: context.id, parent_id: context.parentId, user_id: context.userId },
			});
		});
		result(id);
	}

	function callService(id: number, frame: Json): void {
		const domain = String(frame['domain'] ?? '').toLowerCase();
		const service = String(frame['service'] ?? '').toLowerCase();
		const data = asObject(frame['service_data']);
		const target = asObject(frame['target']);
		const returnResponse = frame['return_response'] === true;
		if (JSON.stringify(target).includes('{{')) {
			failure(id, 'invalid_format', 'Templates are not supported here');
			return;
		}
		const context = createContext(deps.userId);
		const named = [target['entity_id'] ?? data['entity_id'] ?? []].flat().map(String);
		const fault = deps.takeFault({ domain, service, entityIds: named });
		const call = { domain, service, data, target, returnResponse, context };
		const acts = fault === undefined || ((fault.acts ?? true) && ['hang', 'delay', 'drop'].includes(fault.kind));
		const answer: HouseAnswer = acts ? house.call(call) : house.check(call);
		deps.onCall({
			at: house.now(),
			connection: deps.connection,
			domain,
			service,
			entityIds: named,
			data,
			contextId: context.id,
			executed: acts && 'executed' in answer ? answer.executed : [],
			outcome: fault?.kind ?? ('refusal' in answer ? 'rejected' : 'ok'),
		});
		spoil(fault, () => reply(id, fault, answer, context));
	}

	function spoil(fault: Fault | undefined, answer: () => void): void {
		if (fault?.kind === 'hang') return;
		if (fault?.kind === 'drop') {
			socket.terminate();
			return;
		}
		if (fault?.kind !== 'delay') {
			answer();
			return;
		}
		const timer = setTimeout(() => {
			timers.delete(timer);
			answer();
		}, fault.delayMs ?? 1_000);
		timers.add(timer);
	}

	function reply(id: number, fault: Fault | undefined, answer: HouseAnswer, context: Context): void {
		if (fault?.kind === 'reject') {
			failure(id, fault.code ?? 'home_assistant_error', fault.message ?? 'The device refused.');
			return;
		}
		if ('refusal' in answer) {
			failure(id, answer.refusal.code, answer.refusal.message);
			return;
		}
		result(id, { context: { id: context.id, parent_id: null, user_id: context.userId }, response: null });
	}

	const commands: Readonly<Record<string, (id: number, frame: Json) => void>> = {
		ping: (id) => send({ id, type: 'pong' }),
		supported_features: (id, frame) => {
			coalesces = asObject(frame['features'])['coalesce_messages'] === 1;
			result(id);
		},
		get_states: (id) => result(id, [...house.table.entries().values()].map(expandEntry)),
		get_config: (id) => result(id, describeConfig(house)),
		get_services: (id) => result(id, describeServices()),
		'auth/current_user': (id) => result(id, { id: deps.userId, name: 'Majordomo', is_admin: true, is_owner: false }),
		subscribe_entities: subscribeEntities,
		subscribe_events: subscribeEvents,
		unsubscribe_events: (id, frame) => {
			const subscription = Number(frame['subscription']);
			const remove = removers.get(subscription);
			if (!remove) return failure(id, 'not_found', 'Subscription not found.');
			remove();
			removers.delete(subscription);
			result(id);
		},
		call_service: callService,
	};

	function receive(frame: unknown): void {
		const message = asObject(frame);
		if (!authenticated) {
			authenticate(message);
			return;
		}
		deps.onFrame(message);
		const { id, type } = message;
		if (typeof id !== 'number' || !Number.isInteger(id) || typeof type !== 'string') {
			failure(typeof id === 'number' ? id : 0, 'invalid_format', 'Message incorrectly formatted.');
			return;
		}
		if (id <= lastId) {
			failure(id, 'id_reuse', 'Identifier values have to increase.');
			return;
		}
		lastId = id;
		const command = Object.hasOwn(commands, type) ? commands[type] : undefined;
		if (command) command(id, message);
		else failure(id, 'unknown_command', 'Unknown command.');
	}

	socket.on('message', (raw) => {
		if (deps.isStalled()) return;
		const frame = parse(String(raw));
		if (frame === undefined) return socket.close();
		for (const item of Array.isArray(frame) ? frame : [frame]) receive(item);
	});
	socket.on('error', () => socket.terminate());
	socket.on('close', () => {
		for (const remove of removers.values()) remove();
		for (const timer of timers) clearTimeout(timer);
		removers.clear();
	});
	send({ type: 'auth_required', ha_version: haVersion });
	return { isAuthenticated: () => authenticated, close: () => socket.terminate() };
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

function asObject(value: unknown): Json {
	return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}
