import type { IntakeSettings } from '../../config/intake.ts';
import type { Governance } from '../../core/intake/governance-port.ts';
import type { InboxSink, InboxStore } from '../../core/intake/inbox.ts';
import type { IntakeAudit } from '../../core/intake/intake-audit.ts';
import type { IntakeWork } from '../../core/intake/intake-work.ts';
import { stepIntake } from '../../core/intake/step.ts';
import type { SurfaceOutbox } from '../../core/intake/surface.ts';
import { wakeAt } from '../../core/intake/wake.ts';
import type { Model } from '../../core/model/model-port.ts';
import type { Leases, SiteStore, WorkerLives } from '../../core/overseer/stores.ts';
import type { Clock, Log, Metrics, Random } from '../../core/ports.ts';
import { renderIntakeMessages } from '../../prompts/intake/messages.ts';
import { intakeReplySchema } from '../../prompts/intake/reply-schema.ts';
import type { PromptTexts } from '../../prompts/render.ts';
import type { JobPayload, QueueName } from '../contracts.ts';
import { outlastStore } from '../outlast-store.ts';
import type { Queues } from '../queues.ts';
import type { Attempt, WorkerPolicy } from '../worker.ts';
import { createCallModel } from './call-model.ts';
import { createCarryOut } from './carry-out.ts';
import { createInboxQueue, deliveryJobId, type SinkPolicy } from './deliver.ts';
import { createInboxDelivery } from './inbox-delivery.ts';
import type { IntakeMind } from './mind.ts';
import { ANALYST, createAnalyst, createChannelSink } from './own-sinks.ts';
import { startTickLoop } from './tick-loop.ts';
import { createTurn } from './turn.ts';

/** What only intakes need. */
export interface IntakeParts {
	readonly work: IntakeWork;
	readonly audit: IntakeAudit;
	readonly surface: SurfaceOutbox;
	readonly inbox: InboxStore;
	readonly governance: Governance;
	/** Webhooks and folders. */
	readonly sinks: readonly { readonly sink: InboxSink; readonly attempts: number; readonly backoffMs: number }[];
}

export interface IntakeJobsDeps extends IntakeParts {
	settings(): IntakeSettings;
	texts(): PromptTexts;
	queues: Queues;
	leases: Leases;
	lives: WorkerLives;
	site: Pick<SiteStore, 'read'>;
	model: Model;
	clock: Clock;
	random: Random;
	log: Log;
	metrics: Metrics;
	/** Starts a worker of a queue. */
	serve<Name extends QueueName>(
		name: Name,
		handle: (payload: JobPayload<Name>, signal: AbortSignal, attempt: Attempt) => Promise<string>,
	): void;
	tickEveryMs?: number;
	tidyEveryMs?: number;
}

/** All three may be run again: turns and effects are written by compare-and-set, deliveries carry their packet's id. */
export const INTAKE_POLICIES: Readonly<Record<'intake-turn' | 'intake-effect' | 'ba-inbox', WorkerPolicy>> = {
	'intake-turn': { concurrency: 50, limiter: { max: 5_000, duration: 1_000 }, deadlineMs: 60_000, rerunStalled: true },
	// Calls only wait, so many of them cost nothing; a provider's own limit is its adapter's business.
	'intake-effect': {
		concurrency: 200,
		limiter: { max: 5_000, duration: 1_000 },
		deadlineMs: 780_000,
		rerunStalled: true,
	},
	'ba-inbox': {
		concurrency: 20,
		limiter: { max: 500, duration: 1_000 },
		deadlineMs: 120_000,
		rerunStalled: true,
		lockMs: 6_000,
	},
};

const OWN_ATTEMPTS = 10;
const OWN_BACKOFF_MS = 2_000;

/** Starts everything that a worker process does for intakes. */
export function startIntake(deps: IntakeJobsDeps): { stop(): Promise<void> } {
	const { work, surface, inbox, queues, log } = deps;
	const mind: IntakeMind = {
		step: stepIntake,
		wakeAt,
		prompt(session, call, settings) {
			const tokenBudget = Math.min(
				settings.model.tokenBudget,
				Math.max(1_000, deps.model.limits.contextTokens - settings.model.maxOutputTokens),
			);
			const { messages, truncation } = renderIntakeMessages({
				texts: deps.texts(),
				session,
				settings,
				call,
				tokenBudget,
			});
			return {
				messages,
				schema: intakeReplySchema(call.purpose),
				truncatedTurns: (truncation?.droppedTurnIds.length ?? 0) + (truncation?.shortenedTurnIds.length ?? 0),
			};
		},
	};
	const wake = (sessionId: string) => queues.add('intake-turn', { sessionId });
	const carryOut = (sessionId: string, effectId: string) => queues.add('intake-effect', { sessionId, effectId });

	/** Asked anew each time: a reload may have changed the channels. */
	const ownSinks = (): InboxSink[] => [
		...(deps.settings().inbox.analyst ? [createAnalyst({ surface, store: work })] : []),
		...deps.settings().inbox.channels.map((channel) => createChannelSink({ ...channel, surface })),
	];
	const sinks = (): InboxSink[] => [...ownSinks(), ...deps.sinks.map(({ sink }) => sink)];
	const policies = (): SinkPolicy[] => [
		...ownSinks().map(({ name }) => ({ name, attempts: OWN_ATTEMPTS, backoffMs: OWN_BACKOFF_MS })),
		...deps.sinks.map(({ sink, attempts, backoffMs }) => ({ name: sink.name, attempts, backoffMs })),
	];
	if (policies().every(({ name }) => name === ANALYST))
		log.info({}, 'finished intakes go to no place outside: no webhook, folder or channel is set');

	const inboxQueue = createInboxQueue({ inbox, queues, sinks: policies, clock: deps.clock });
	const turn = createTurn({ ...deps, mind, carryOut });
	const effect = createCarryOut({ ...deps, inboxQueue, callModel: createCallModel({ ...deps, mind }), wake });
	const delivery = createInboxDelivery({ ...deps, sinks });

	deps.serve('intake-turn', async ({ sessionId }, signal) => {
		const result = await outlastStore(() => turn(sessionId, signal), signal);
		if (result === 'more') await wake(sessionId);
		return result;
	});
	deps.serve('intake-effect', ({ sessionId, effectId }, signal) => effect(sessionId, effectId, signal));
	deps.serve('ba-inbox', delivery);

	/** A delivery that waits has a job, unless Redis lost it or it failed without a word. */
	async function revive(packetId: string, sink: string, generation: number): Promise<void> {
		const job = await queues.queue('ba-inbox').getJob(deliveryJobId(packetId, sink, generation));
		const isOver = job !== undefined && ['failed', 'completed'].includes(await job.getState());
		if (job && !isOver) return;
		if (job) await job.remove();
		await inboxQueue.queue(packetId, sink, generation);
	}
	const ticks = startTickLoop({
		...deps,
		wake,
		carryOut,
		revive,
		...(deps.tickEveryMs === undefined ? {} : { everyMs: deps.tickEveryMs }),
		...(deps.tidyEveryMs === undefined ? {} : { tidyEveryMs: deps.tidyEveryMs }),
	});
	return { stop: () => ticks.stop() };
}
