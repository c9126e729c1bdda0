import { promptHuman } from '../../../core/intake/sanitise.ts';
import { type Model, ModelError, type ModelReply } from '../../../core/model/model-port.ts';
import type { MindReply, Persona } from './persona.ts';

/** Stands where a model would: answers each persona's calls from its script. It knows whom it talks to by the wish. */
export function personaModel(personas: readonly Persona[]): Model {
	const used = new Map<string, number>();
	return {
		id: 'scripted/personas',
		limits: { contextTokens: 400_000, outputTokens: 8_000 },
		check: async () => ({ ok: true, detail: 'scripted' }),
		async complete({ messages, purpose }): Promise<ModelReply> {
			const wish = messages.find(({ role }) => role === 'user')?.content ?? '';
			const persona = personas.find((one) => wish === `[t1] ${promptHuman(one.wish)}`);
			if (persona === undefined)
				throw new ModelError('invalid', 'nobody has this wish', { transient: false, hint: '' });
			const kind = purpose === 'intake.ask' ? 'ask' : 'final';
			const key = `${persona.id} ${kind}`;
			const count = used.get(key) ?? 0;
			used.set(key, count + 1);
			const replies = persona.mind[kind];
			return replyOf(replies[Math.min(count, replies.length - 1)] ?? '');
		},
	};
}

function replyOf(reply: MindReply): ModelReply {
	if (typeof reply !== 'string' && 'fails' in reply) {
		throw new ModelError(reply.fails, 'the script says so', { transient: true, hint: '' });
	}
	const isText = typeof reply === 'string';
	return {
		text: isText ? reply : JSON.stringify(reply.structured),
		...(isText ? {} : { structured: reply.structured }),
		calls: [],
		usage: { inputTokens: 1, outputTokens: 1 },
		stop: 'end',
		model: 'personas',
		durations: { totalMs: 0 },
		truncated: false,
	};
}
