import { randomUUID } from 'node:crypto';
import type { RedisConnection } from '../../adapters/redis/connection.ts';
import { createIntakeStores, type IntakeStores } from '../../adapters/redis/intake/intake-stores.ts';
import { type IntakeSettings, intakeSettings } from '../../config/intake.ts';
import { readPromptFiles } from '../../config/prompt-files.ts';
import type { Governance, GovernanceVerdict } from '../../core/intake/governance-port.ts';
import type { InboxSink } from '../../core/intake/inbox.ts';
import { freshSession, type IntakeSession } from '../../core/intake/session.ts';
import { wakeAt } from '../../core/intake/wake.ts';
import type { Model, ModelReply, ModelRequest } from '../../core/model/model-port.ts';
import { createIntakeDesk, type RunningDesk } from '../../jobs/intake/desk.ts';
import { INTAKE_POLICIES, startIntake } from '../../jobs/intake/start-intake.ts';
import { createQueues, type Queues } from '../../jobs/queues.ts';
import { checkPrompts, PROMPT_FILES, type PromptTexts } from '../../prompts/render.ts';
import { createBenchWorkers } from './bench-workers.ts';
import { testTracer } from './fakes/test-tracer.ts';
import type { TestRedis } from './redis.ts';
import { testLog } from './redis.ts';

/** Shared with the worker processes of tests. */
export const INTAKE_KEY = { id: 'test', secret: Buffer.alloc(32, 7).toString('base64') };

export const intakeTestSettings = (change: object = {}): IntakeSettings => ({
	...intakeSettings.parse({ quietMs: 0, readinessMs: 20_000, model: { retryAfterMs: 1_000 } }),
	...change,
});

const silentMetrics = { count: () => undefined, gauge: () => undefined, observe: () => undefined };
const clock = { now: Date.now };
const random = { next: Math.random, id: () => randomUUID() };

/** Words that must be nowhere at rest. */
export const SECRET_INTENT = 'a heliotrope lighthouse ledger for my grandmother';
export const SECRET_ANSWER = 'the quagmire password shall be marzipan';

export function cxpSession(change: Partial<IntakeSession> = {}, id: string = randomUUID()): IntakeSession {
	const session = freshSession(
		{ id, place: { kind: 'cxp', caller: 'shop' }, requesterId: 'cxp:shop', review: false },
		Date.now(),
	);
	return { ...session, ...change };
}

export function storesFor(redis: RedisConnection, settings = intakeTestSettings(), keys = [INTAKE_KEY]): IntakeStores {
	return createIntakeStores(redis, { keys, settings: () => settings, wakeAt });
}

const ASK_REPLY = [
	'D1: Which things should be sold first?',
	'D3: What is kept about each order?',
	'D6: Where should it run?',
].join('\n');
const SECOND_REPLY = ['D4: Who will look at the reports?', 'D7: By when is it needed?'].join('\n');

export const FINAL_REPLY = [
	'REQUIREMENTS_COMPLETE: yes',
	'TASK_SUMMARY: A shop that sells mugs.',
	'PROJECT_NAME: mug_shop',
	'ESCALATE_TO: U:BA',
	'PROLOG_FACTS:',
	'has_feature(mugs).',
].join('\n');

/** A model that answers what `answer` says, or fails as it throws; it counts its calls. */
export function scriptedModel(
	answer: (request: ModelRequest, call: number) => string | Promise<string>,
): Model & { calls: ModelRequest[] } {
	const calls: ModelRequest[] = [];
	return {
		id: 'test/scripted',
		limits: { contextTokens: 100_000, outputTokens: 8_000 },
		calls,
		check: async () => ({ ok: true, detail: 'scripted' }),
		async complete(request): Promise<ModelReply> {
			calls.push(request);
			const text = await answer(request, calls.length);
			return {
				text,
				calls: [],
				usage: { inputTokens: 100, outputTokens: 10 },
				stop: 'end',
				model: 'scripted',
				durations: { totalMs: 1 },
				truncated: false,
			};
		},
	};
}

/** How many things the person has said, as the prompt shows them. */
export const saidIn = ({ messages }: ModelRequest): number =>
	messages.filter(({ role, content }) => role === 'user' && /^\[t\d+\]/.test(content)).length;

/** Asks twice, then completes. */
export const usualAnswer = (request: ModelRequest): string => {
	if (request.purpose !== 'intake.ask' || saidIn(request) >= 3) return FINAL_REPLY;
	return saidIn(request) === 1 ? ASK_REPLY : SECOND_REPLY;
};
export const usualModel = () => scriptedModel(usualAnswer);

export const allow: Governance = {
	evaluate: async (): Promise<GovernanceVerdict> => ({ outcome: 'allow', findings: [] }),
};

let texts: PromptTexts | undefined;
export function promptTexts(): PromptTexts {
	if (texts) return texts;
	const found = readPromptFiles({
		names: PROMPT_FILES.map((name) => name.replace(/\.md$/, '')),
		builtInDir: 'prompts',
	});
	if (!found.ok) throw new Error('the prompts cannot be read');
	texts = checkPrompts(Object.fromEntries(Object.entries(found.files).map(([name, text]) => [`${name}.md`, text])));
	return texts;
}

export interface IntakeBench {
	readonly stores: IntakeStores;
	readonly desk: RunningDesk;
	readonly queues: Queues;
	readonly redis: RedisConnection;
	/** Starts the workers; resolves with their end. */
	work(): { stop(): Promise<void> };
	close(): Promise<void>;
}

/** Everything of the intake in this process, on a real Redis, with a model and sinks of the test's choice. */
export async function openIntake(
	server: Pick<TestRedis, 'connect'>,
	options: {
		model?: Model;
		governance?: Governance;
		sinks?: readonly { sink: InboxSink; attempts: number; backoffMs: number }[];
		settings?: IntakeSettings;
		keys?: (typeof INTAKE_KEY)[];
		log?: ReturnType<typeof testLog>;
		commandTimeoutMs?: number;
		paused?: () => boolean;
	} = {},
): Promise<IntakeBench> {
	const log = options.log ?? testLog();
	const redis = await server.connect({
		log,
		...(options.commandTimeoutMs === undefined ? {} : { commandTimeoutMs: options.commandTimeoutMs }),
	});
	const settings = options.settings ?? intakeTestSettings();
	const stores = storesFor(redis, settings, options.keys);
	const queues = createQueues({ connection: redis.handlers, prefix: redis.prefix, log });
	const tracer = testTracer();
	const desk = createIntakeDesk({
		work: stores.work,
		queues,
		settings: () => settings,
		clock,
		log,
		metrics: silentMetrics,
		tracer,
	});
	const running: { stop(): Promise<void> }[] = [];

	return {
		stores,
		desk,
		queues,
		redis,
		work() {
			const workers = createBenchWorkers({
				redis,
				policies: INTAKE_POLICIES,
				clock,
				log,
				metrics: silentMetrics,
				tracer,
			});
			const { leases, lives, serve } = workers;
			const intake = startIntake({
				...stores,
				settings: () => settings,
				texts: promptTexts,
				queues,
				leases,
				lives,
				site: {
					read: async () =>
						({ mode: 'normal', lightsLock: 'off', paused: options.paused?.() ?? false }) as unknown as Awaited<
							ReturnType<Parameters<typeof startIntake>[0]['site']['read']>
						>,
				},
				model: options.model ?? usualModel(),
				governance: options.governance ?? allow,
				sinks: options.sinks ?? [],
				clock,
				random,
				log,
				metrics: silentMetrics,

				tickEveryMs: 100,
				tidyEveryMs: 500,
				serve,
			});
			const one = { stop: () => workers.stop(intake) };
			running.push(one);
			return one;
		},
		async close() {
			await Promise.all(running.map((one) => one.stop()));
			await desk.close();
			await queues.close();
			await redis.close();
		},
	};
}

let serial = 0;
export const person = { id: 'cxp:shop', bot: false };
export const nextId = (): string => `e${(serial += 1)}-${randomUUID().slice(0, 8)}`;
export const intent = (text = SECRET_INTENT, id = nextId()) => ({ kind: 'intent' as const, id, author: person, text });
export const answer = (text = SECRET_ANSWER, id = nextId()) => ({
	kind: 'message' as const,
	id,
	author: person,
	text,
	whole: true,
});

/** Opens an intake as the machine interface would; gives its id. */
export async function begin(bench: IntakeBench, text = SECRET_INTENT): Promise<string> {
	const id = randomUUID();
	const opened = await bench.desk.open(
		{ id, place: { kind: 'cxp', caller: 'shop' }, requesterId: 'cxp:shop', review: false },
		intent(text),
		`once-${id}`,
	);
	if (opened.kind !== 'opened') throw new Error(`not opened: ${JSON.stringify(opened)}`);
	return id;
}

export async function sessionOf(bench: Pick<IntakeBench, 'stores'>, id: string): Promise<IntakeSession> {
	const loaded = await bench.stores.work.load(id);
	if (!('session' in loaded)) throw new Error(`the session is ${loaded.kind}`);
	return loaded.session;
}
