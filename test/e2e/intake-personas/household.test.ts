import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findQuote } from '../../../core/intake/facts/find-quote.ts';
import { handoffPacket } from '../../../core/intake/handoff-packet.ts';
import { type QuestionsPacket, questionsPacket } from '../../../core/intake/packet.ts';
import { checkSignature, signPacket } from '../../../core/intake/packet-signature.ts';
import type { Persona } from '../../evals/intake/persona.ts';
import { PERSONAS } from '../../evals/intake/personas/all-personas.ts';
import { openTestHousehold, type TestHousehold } from '../../support/household.ts';

const TOKEN = 'a-token-of-the-workshop';
const KEY = { id: 'k1', secret: 'a-secret-of-the-workshop' };

let house: TestHousehold;
beforeAll(async () => {
	const machines = { cxpCallers: { workshop: TOKEN }, packetKeys: [{ owner: 'workshop', ...KEY }] };
	house = await openTestHousehold({ secrets: () => machines as object });
}, 90_000);
afterAll(() => house?.stop());

async function ask(path: string, packet?: object): Promise<Record<string, unknown>> {
	const answer = await fetch(`${house.httpUrl}${path}`, {
		method: packet ? 'POST' : 'GET',
		headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
		...(packet ? { body: JSON.stringify(signPacket(packet, KEY, Date.now(), randomUUID())) } : {}),
	});
	return (await answer.json()) as Record<string, unknown>;
}

/** Talks until the requirements are there; a slow answer is fetched. */
async function talk(persona: Persona, replies: readonly string[]) {
	const said = [persona.wish];
	const asked: QuestionsPacket[] = [];
	const send = async (subject: string, body: string, sessionId?: string) => {
		const packet = { from: 'HUMAN', to: 'U:Cx', subject, body, ...(sessionId ? { sessionId } : {}) };
		let answer = await ask('/cxp', packet);
		const seen = asked.length;
		const end = Date.now() + 30_000;
		while (answer['status'] === 'working' && Date.now() < end) {
			const { packets } = await ask(`/cxp/sessions/${answer['sessionId']}/packets?after=${seen}`);
			await pause(50);
			answer = (packets as Record<string, unknown>[] | undefined)?.at(-1) ?? answer;
		}
		return answer;
	};
	let packet = await send('intent', persona.wish);
	const sessionId = String(packet['sessionId']);
	while (packet['subject'] === 'questions') {
		const { signature: _, ...plain } = packet;
		asked.push(questionsPacket.parse(plain));
		const text = replies[asked.length - 1] ?? 'later';
		said.push(text);
		packet = await send('response', text, sessionId);
	}
	return { packet, asked, said };
}

const saidBy = (persona: Persona): string[] => [persona.slots.map(({ says }) => says).join(' ') || 'later'];

test.each(PERSONAS.filter(({ id }) => ['german', 'wants-a-human'].includes(id)).map((one) => [one.id, one] as const))(
	'INT-21 INT-28 INT-9 %s over /cxp in the whole household: asked first, signed, and every fact rests on what was said',
	{ timeout: 90_000 },
	async (_, persona) => {
		const { packet, asked, said } = await talk(persona, saidBy(persona));
		expect(checkSignature(packet, [KEY], Date.now(), 60_000).ok).toBe(true);
		const { signature: __, ...plain } = packet;
		const { body, to, governance } = handoffPacket.parse(plain);
		expect([to, governance?.outcome]).toEqual(['U:BA', expect.stringMatching(/allow|flag/)]);
		expect(asked.length).toBeGreaterThanOrEqual(1);
		expect(asked.length).toBeLessThanOrEqual(3);
		expect(body.requirements.length).toBe(body.PROLOG_FACTS.split('\n').filter((line) => line !== '').length);
		for (const { fact, evidence } of body.requirements)
			expect(
				evidence.some(({ quote }) => said.some((text) => findQuote(text, quote) !== undefined)),
				fact,
			).toBe(true);
	},
);
