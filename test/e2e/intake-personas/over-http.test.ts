import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readPolicyFolder } from '../../../adapters/governance/policy-folder.ts';
import { createPrologGovernance, type PrologGovernance } from '../../../adapters/governance/prolog.ts';
import { handoffPacket } from '../../../core/intake/handoff-packet.ts';
import { measureSession } from '../../../core/intake/measures/measure-session.ts';
import { type QuestionsPacket, questionsPacket } from '../../../core/intake/packet.ts';
import { checkSignature } from '../../../core/intake/packet-signature.ts';
import type { Persona } from '../../evals/intake/persona.ts';
import { personaModel } from '../../evals/intake/persona-model.ts';
import { PERSONAS } from '../../evals/intake/personas/all-personas.ts';
import { oracleAnswer } from '../../evals/intake/play-persona.ts';
import { recordedSessions } from '../../evals/intake/recorded-session.ts';
import { type CxpHouse, intentPacket, openCxp, responsePacket, SHOP_KEY } from '../../support/cxp.ts';
import { startTestRedis, type TestRedis, testLog } from '../../support/redis.ts';

const OVER_HTTP = ['rambling', 'chinese', 'complete-spec', 'injection-fields', 'never-done', 'later-to-all'];
const personas = PERSONAS.filter(({ id }) => OVER_HTTP.includes(id));

describe('INT-21 INT-28 personas as programs', () => {
	let server: TestRedis;
	let house: CxpHouse;
	let governance: PrologGovernance;

	beforeAll(async () => {
		server = await startTestRedis();
		governance = createPrologGovernance({
			policyFiles: readPolicyFolder('config/governance'),
			log: testLog(),
			now: Date.now,
		});
		await governance.start();
		house = await openCxp(server, { model: personaModel(PERSONAS), governance });
		house.bench.work();
	}, 60_000);
	afterAll(async () => {
		await house?.close();
		await governance?.close();
		await server?.stop();
	});

	/** The next packet: in the answer itself, or fetched from where a slow one says it will be. */
	async function next(packet: object, sessionId?: string, after = 0) {
		const answer = await house.post(packet);
		if (answer.status === 200) return answer.body;
		expect(answer.status).toBe(202);
		const id = sessionId ?? answer.body.sessionId;
		await expect
			.poll(async () => (await house.call('GET', `/cxp/sessions/${id}/packets?after=${after}`)).body, {
				timeout: 30_000,
			})
			.toHaveProperty('packets.0');
		const { body } = await house.call('GET', `/cxp/sessions/${id}/packets?after=${after}`);
		return (body as unknown as { packets: (typeof answer.body)[] }).packets.at(-1) ?? {};
	}

	async function talk(persona: Persona) {
		let packet = await next(intentPacket(persona.wish));
		const sessionId = packet.sessionId;
		const asked: QuestionsPacket[] = [];
		while (packet.subject === 'questions') {
			const { signature: _, ...plain } = packet;
			const questions = questionsPacket.parse(plain);
			asked.push(questions);
			const act = persona.acts?.[asked.length - 1];
			const said = act !== undefined && 'say' in act ? act.say : oracleAnswer(persona, questions.questions);
			packet = await next(responsePacket(sessionId, said), sessionId, asked.length);
		}
		return { packet, asked, sessionId: sessionId ?? '' };
	}

	test.each(personas.map((persona) => [persona.id, persona] as const))(
		'INT-21 INT-28 INT-9 FR-012 %s over /cxp: signed questions, and a signed packet with the same facts as in the thread',
		{ timeout: 60_000 },
		async (_, persona) => {
			const { packet, asked, sessionId } = await talk(persona);
			expect(checkSignature(packet, [SHOP_KEY], Date.now(), 60_000).ok).toBe(true);
			const { signature: __, ...plain } = packet;
			const { body, to } = handoffPacket.parse(plain);
			const { gold } = persona;
			const wanted = [
				...gold.facts.filter((fact) => !gold.flaws?.missing?.includes(fact)),
				...(gold.flaws?.extra ?? []),
			];
			expect(body.PROLOG_FACTS.split('\n').filter((line) => line !== '')).toEqual([...wanted].sort());
			expect([to, body.UI_REQUIREMENTS, body.trigger]).toEqual(['U:BA', gold.ui, gold.trigger]);
			expect(asked.length).toBeGreaterThanOrEqual(1);
			expect(asked.length).toBeLessThanOrEqual(3);
			// What an export holds can be measured like any recorded session.
			const recorded = recordedSessions('export', JSON.stringify(await house.bench.stores.work.exportAll(sessionId)));
			expect(recorded.map((session) => measureSession(session).failedGates)).toEqual([[]]);
		},
	);
});
