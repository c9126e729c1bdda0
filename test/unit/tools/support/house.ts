import { overseerSettings } from '../../../../config/overseer.ts';
import { type RoomSettings, roomSettings } from '../../../../config/rooms.ts';
import { readNeato } from '../../../../core/overseer/read-neato.ts';
import { OPEN_SITE, type SitePolicy } from '../../../../core/overseer/site.ts';
import { readWorld } from '../../../../core/overseer/world-view.ts';
import type { CallOutcome } from '../../../../core/tooling/call.ts';
import type { ToolFacts } from '../../../../core/tooling/facts.ts';
import type { ExecuteRequest } from '../../../../tools/execute-request.ts';
import type { ExecutorDeps } from '../../../../tools/executor-deps.ts';
import { createMemoryLog, createMemoryMetrics } from '../../../support/fakes/memory-log.ts';
import { createMemoryAudit, createMemorySlots } from '../../../support/fakes/memory-stores.ts';
import { testTracer } from '../../../support/fakes/test-tracer.ts';
import { createFakeHome } from './fake-home.ts';
import { createMemoryCallClaims, createMemoryLedger } from './memory-ledger.ts';
import { createVirtualTime } from './virtual-time.ts';

/** A room with one of everything, as cover and vacuum entity, or as switches and ESPHome buttons. */
export function sampleRoom(wiring: 'entities' | 'parts' = 'entities'): RoomSettings {
	return roomSettings.parse({
		id: 'den',
		title: 'Den',
		channelId: '100000000000000001',
		lights: [
			{ entityId: 'light.shelf', label: 'shelf', show: 'color' },
			{ entityId: 'light.bench', label: 'bench lamp' },
			{ entityId: 'switch.corner', label: 'corner' },
		],
		lift:
			wiring === 'entities'
				? { driver: 'cover', entityId: 'cover.lift' }
				: { driver: 'switches', upEntityId: 'switch.lift_up', downEntityId: 'switch.lift_down' },
		neato:
			wiring === 'entities'
				? { driver: 'vacuum', entityId: 'vacuum.robot', clearErrorsEntityId: 'button.clear_errors' }
				: {
						driver: 'esphome',
						buttons: {
							houseClean: 'button.house_clean',
							resume: 'button.resume',
							sendToBase: 'button.send_to_base',
							locate: 'button.locate',
							clearErrors: 'button.clear_errors',
							pause: 'button.pause',
						},
						sensors: { charging: 'binary_sensor.charging', robotState: 'sensor.robot_state', error: 'sensor.error' },
					},
		scripts: [{ entityId: 'script.movie', label: 'movie night' }],
		buttonBoxEntityIds: ['input_number.box_1', 'input_number.box_2'],
	});
}

export const sampleSettings = overseerSettings.parse({ stage: 'full', buttonBox: { enabled: true } });

const on = { supported_color_modes: ['color_temp', 'hs'] };
const startStates: [string, string, Record<string, unknown>?][] = [
	['light.shelf', 'off', { ...on, min_color_temp_kelvin: 2_200, max_color_temp_kelvin: 6_500 }],
	['light.bench', 'on', { supported_color_modes: ['onoff'] }],
	['switch.corner', 'on'],
	['cover.lift', 'closed', { current_position: 0 }],
	['switch.lift_up', 'off'],
	['switch.lift_down', 'on'],
	['vacuum.robot', 'docked'],
	['sensor.robot_state', 'docked'],
	['sensor.error', 'none'],
	['binary_sensor.charging', 'on'],
	['script.movie', 'off', { last_triggered: null }],
	['input_number.box_1', '4', { min: 0, max: 6 }],
	['input_number.box_2', '0', { min: 0, max: 99 }],
	...['house_clean', 'resume', 'send_to_base', 'locate', 'clear_errors', 'pause'].map((name): [string, string] => [
		`button.${name}`,
		'unknown',
	]),
];

/** A whole house around one executor: stores in memory, time that costs none, a home that obeys. */
export function createHouse(options: { wiring?: 'entities' | 'parts'; room?: RoomSettings } = {}) {
	const time = createVirtualTime();
	const home = createFakeHome(time);
	for (const [id, state, attributes] of startStates) home.set(id, state, attributes);
	// Whatever moved has long come to rest.
	time.advance(600_000);
	const room = options.room ?? sampleRoom(options.wiring);
	const [ledger, claims] = [createMemoryLedger(), createMemoryCallClaims(time)];
	const ownContexts: string[] = [];
	const said: string[] = [];
	const rules: { site: SitePolicy; stage: ToolFacts['stage']; votedQuiet: boolean } = {
		site: OPEN_SITE,
		stage: 'full',
		votedQuiet: false,
	};
	const world = () => readWorld({ room, states: home.states(), home: home.status(), reports: [], now: time.now() });
	const [audit, metrics, log] = [createMemoryAudit(), createMemoryMetrics(), createMemoryLog()];
	const deps: ExecutorDeps = {
		tracer: testTracer(),
		clock: time,
		log,
		metrics,
		audit,
		claims,
		ledger,
		home,
		memory: createMemorySlots(),
		speaker: {
			async say({ text }) {
				said.push(text);
				return { kind: 'said' };
			},
		},
		rooms: {
			addOwnContext: async (_roomId, contextId) => void ownContexts.push(contextId),
			read: async () => ({ ownContexts }) as unknown as Awaited<ReturnType<ExecutorDeps['rooms']['read']>>,
		},
		settings: sampleSettings,
		callDeadlineMs: 10_000,
		room: (roomId) => (roomId === room.id ? room : undefined),
		async facts(roomId, direct) {
			const now = time.now();
			return { now, ...rules, world: world(), direct, ...(await ledger.read(roomId, now)) };
		},
		readNeato: ({ neato }, states) => neato && readNeato(neato, states, home.status().connected),
		sleep: time.sleep,
	};
	const request = (tool: string, args: unknown = {}, more: Partial<ExecuteRequest> = {}): ExecuteRequest => ({
		roomId: room.id,
		decisionId: 'd1',
		call: { id: `c-${tool}`, tool, args },
		trigger: 'chat_burst',
		direct: false,
		...more,
	});
	const steps = () => audit.rows.map((row) => row.step);
	return {
		time,
		home,
		room,
		ledger,
		claims,
		rules,
		world,
		audit,
		metrics,
		log,
		deps,
		request,
		said,
		ownContexts,
		steps,
	};
}

export type House = ReturnType<typeof createHouse>;

export function blockCodes(outcome: CallOutcome): string[] {
	return outcome.kind === 'blocked' ? outcome.reasons.map((reason) => reason.code) : [`not blocked: ${outcome.kind}`];
}
