import type { Probe } from './adapters/http/deps.ts';
import type { Bot } from './bot/bot.ts';
import type { Home } from './core/home/home-port.ts';
import type { Model } from './core/model/model-port.ts';
import type { Jobs } from './jobs/start-jobs.ts';

/** Each part of the house as its health pages ask for it. */
export function gatewayProbe(bot: Bot): Probe {
	return {
		name: 'discord',
		required: true,
		check() {
			const { state, problem } = bot.health();
			return {
				ok: state === 'ready',
				detail: problem?.code ?? state,
				...(problem ? { hint: problem.lines.join(' ') } : {}),
			};
		},
	};
}

/** Stands only where nothing outlives the process, so that nobody takes it for a house that remembers. */
export function keepingProbe(): Probe {
	return {
		name: 'storage',
		required: false,
		check: () => ({
			ok: false,
			detail: 'NOTHING IS KEPT: Redis runs inside this process, and all is gone when it ends',
			hint: 'Install redis-server or set REDIS_URL.',
		}),
	};
}

export function homeProbe(home: Home): Probe {
	return {
		name: 'home_assistant',
		required: false,
		check() {
			const { connected, phase, lastError } = home.status();
			return { ok: connected, detail: lastError ? `${phase}: ${lastError.message}` : phase };
		},
	};
}

export function modelProbe(model: Model, deadlineMs: number): Probe {
	return {
		name: 'model',
		required: false,
		async check() {
			const found = await model.check(deadlineMs);
			return found.ok
				? { ok: true, detail: found.detail }
				: { ok: false, detail: `${model.id}: ${found.error.code}`, hint: found.error.hint };
		},
	};
}

export function queueProbe(jobs: Jobs): Probe {
	return {
		name: 'queues',
		required: false,
		async check() {
			const dead = await jobs.dead();
			return { ok: dead.length === 0, detail: dead.length === 0 ? 'served' : `no living worker: ${dead.join(', ')}` };
		},
	};
}
