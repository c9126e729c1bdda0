import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { IntakeErrorCode } from '../../../core/intake/error-code.ts';
import type { OutboundPacket } from '../../../core/intake/packet.ts';
import { errorPacketOf, unavailablePacketOf } from '../../../core/intake/reply-packet.ts';
import type { IntakeSession } from '../../../core/intake/session.ts';
import type { ExtraRoutes } from '../deps.ts';
import { createRateLimit } from '../rate-limit.ts';
import { bearerToken, isSameSecret } from '../secret-compare.ts';
import { type Answer, answersAfter, isNextPacket, sealedPacket } from './answers.ts';
import type { Caller, CxpDeps } from './cxp-deps.ts';
import { cxpPaths } from './cxp-openapi.ts';
import { streamAnswers } from './cxp-stream.ts';
import { createMoves } from './moves.ts';
import { statusOf } from './packet-status.ts';
import { ownSession, type Taken, takePacket } from './take-packet.ts';

type CxpEnv = { Variables: { caller: Caller } };
type CxpContext = Context<CxpEnv>;

const PATH = '/cxp';
const LOOK_EVERY_MS = 500;
/** Around the text itself: addresses, ids, signature, and what JSON needs to escape. */
const ENVELOPE_BYTES = 16 * 1_024;
const BYTES_PER_CHAR = 6;
/** Far above any setting, so that this edge answers with a packet of its own. */
const OUTER_LIMIT_BYTES = 4 * 1_024 * 1_024;

export interface CxpRoutes extends ExtraRoutes {
	/** Ends waiting requests and streams. */
	close(): Promise<void>;
}

/** The machine interface: packets in, packets out, the same intake as in a thread. */
export function createCxp(deps: CxpDeps): CxpRoutes {
	const { clock, metrics, log } = deps;
	const moves = createMoves(deps.onMove);
	const closing = new AbortController();
	const perMinute = deps.settings().cxp.packetsPerMinute;
	const rate = createRateLimit(clock, { burst: Math.max(20, perMinute / 4), perSecond: perMinute / 60 });
	const app = new Hono<CxpEnv>();

	const head = (sessionId?: string) => ({
		id: deps.random.id(),
		at: clock.now(),
		...(sessionId === undefined ? {} : { sessionId }),
	});

	function send(c: CxpContext, packet: OutboundPacket): Response {
		const caller = c.get('caller') as Caller | undefined;
		const { subject } = packet;
		metrics.count('cxp_answers_total', { subject: subject === 'error' ? packet.code : subject });
		if (packet.sessionId !== undefined) {
			c.header('X-Session-Id', packet.sessionId);
			c.header('Link', `<${PATH}/sessions/${packet.sessionId}>; rel="session"`);
		}
		if (subject === 'unavailable') c.header('Retry-After', '15');
		return c.json(sealedPacket(packet, caller?.keys[0], clock.now(), deps.random.id()), statusOf(packet));
	}

	const refuse = (c: CxpContext, code: IntakeErrorCode, detail: string, sessionId?: string): Response => {
		log.warn({ caller: c.get('caller')?.name, code, session: sessionId }, 'a packet was refused');
		return send(c, errorPacketOf(code, head(sessionId), detail));
	};

	function unavailable(c: CxpContext, { reason, kept, sessionId }: Extract<Taken, { kind: 'unavailable' }>): Response {
		const packet = unavailablePacketOf(reason, head(sessionId));
		const lost = 'The assistant is unavailable and nothing was stored. Send the packet again under the same id.';
		return send(c, kept ? packet : { ...packet, body: lost });
	}

	/** Redis gone: said in the same words by every route. */
	const guarded =
		(handle: (c: CxpContext) => Promise<Response>) =>
		async (c: CxpContext): Promise<Response> => {
			try {
				return await handle(c);
			} catch (error) {
				const code = error instanceof Error && 'code' in error ? String(error.code) : '';
				if (!code.startsWith('redis_')) throw error;
				log.warn({ error }, 'the machine interface cannot reach Redis');
				const isLate = error instanceof Error && 'reason' in error && error.reason === 'timeout';
				return unavailable(c, { kind: 'unavailable', reason: isLate ? 'timeout' : 'redis', kept: false });
			}
		};

	app.use(async (c, next) => {
		const token = bearerToken(c.req.header('authorization'));
		// All are compared, so that the time says nothing.
		const [name] = Object.keys(deps.callers).filter((caller) => isSameSecret(token, deps.callers[caller]));
		if (name === undefined) {
			metrics.count('http_refused_total', { reason: 'cxp_token' });
			c.header('WWW-Authenticate', 'Bearer');
			const packet = errorPacketOf('E03', head(), 'the bearer token is missing or not known');
			return c.json(packet, 401);
		}
		c.set('caller', {
			name,
			personId: `cxp:${name}`,
			keys: deps.packetKeys.filter(({ owner }) => owner === name),
		});
		const waitMs = rate.take(name);
		if (waitMs === 0) return next();
		c.header('Retry-After', String(Math.ceil(waitMs / 1_000)));
		return c.json(errorPacketOf('E03', head(), 'too many requests; wait as Retry-After says'), 429);
	});
	app.use((c, next) =>
		bodyLimit({
			maxSize: deps.settings().maxTextChars * BYTES_PER_CHAR + ENVELOPE_BYTES,
			onError: () => refuse(c, 'E06', 'the request is too large'),
		})(c, next),
	);

	app.post(
		'/',
		guarded(async (c) => {
			const text = await c.req.text();
			let raw: unknown;
			try {
				raw = JSON.parse(text);
			} catch {
				return refuse(c, 'E01', text.trim() === '' ? 'the request is empty' : 'it is not JSON');
			}
			const caller = c.get('caller');
			const taken = await takePacket(deps, caller, raw);
			if (taken.kind === 'refused') return refuse(c, taken.code, taken.detail, taken.sessionId);
			if (taken.kind === 'unavailable') return unavailable(c, taken);
			const next = await nextPacket(c, caller, taken);
			if (next) return send(c, next.packet);
			const at = `${PATH}/sessions/${taken.sessionId}`;
			c.header('Location', `${at}/packets?after=${taken.after}`);
			c.header('Retry-After', '1');
			c.header('X-Session-Id', taken.sessionId);
			metrics.count('cxp_answers_total', { subject: 'working' });
			return c.json(
				{
					status: 'working',
					sessionId: taken.sessionId,
					poll: `${at}/packets?after=${taken.after}`,
					stream: `${at}/stream?after=${taken.after}`,
				},
				202,
			);
		}),
	);

	async function nextPacket(c: CxpContext, caller: Caller, { sessionId, after }: Extract<Taken, { kind: 'taken' }>) {
		const end = performance.now() + deps.settings().cxp.answerWaitMs;
		for (;;) {
			const session = await ownSession(deps, caller, sessionId);
			const next = session && (await answersAfter(deps.surface, session, after, clock.now())).find(isNextPacket);
			if (next) return next;
			const left = end - performance.now();
			if (left <= 0 || closing.signal.aborted || c.req.raw.signal.aborted) return undefined;
			await moves.next(sessionId, Math.min(left, LOOK_EVERY_MS), c.req.raw.signal);
		}
	}

	/** Routes of one session of this caller. */
	const ofSession = (handle: (c: CxpContext, session: IntakeSession) => Promise<Response> | Response) =>
		guarded(async (c) => {
			const id = c.req.param('id') ?? '';
			const session = await ownSession(deps, c.get('caller'), id);
			if (session) return handle(c, session);
			return c.json(errorPacketOf('E04', head(), 'this session is not there, was deleted, or is not yours'), 404);
		});

	const afterOf = (c: CxpContext): number => {
		const text = c.req.header('last-event-id') ?? c.req.query('after') ?? '0';
		return /^\d{1,9}$/.test(text) ? Number(text) : 0;
	};
	const wire = (caller: Caller, answer: Answer) =>
		answer.kind === 'packet'
			? { ...answer, packet: sealedPacket(answer.packet, caller.keys[0], clock.now(), deps.random.id()) }
			: answer;

	app.get(
		'/sessions/:id',
		ofSession((c, { id, state, roundCount, questionSets, dimensions, createdAt, updatedAt, lastError }) =>
			c.json({
				sessionId: id,
				state,
				round: roundCount,
				questionSets: questionSets.length,
				dimensions,
				createdAt,
				updatedAt,
				...(lastError ? { lastError } : {}),
			}),
		),
	);
	app.get(
		'/sessions/:id/packets',
		ofSession(async (c, session) => {
			const answers = await answersAfter(deps.surface, session, afterOf(c), clock.now());
			const caller = c.get('caller');
			return c.json({
				sessionId: session.id,
				state: session.state,
				answers: answers.map((answer) => wire(caller, answer)),
				after: answers.at(-1)?.seq ?? afterOf(c),
			});
		}),
	);
	app.get(
		'/sessions/:id/stream',
		ofSession((c, session) => {
			const caller = c.get('caller');
			return streamAnswers(c, {
				after: afterOf(c),
				load: () => ownSession(deps, caller, session.id),
				answers: (current, after) => answersAfter(deps.surface, current, after, clock.now()),
				wire: (answer) => wire(caller, answer),
				next: (ms, signal) => moves.next(session.id, ms, signal),
				closing: closing.signal,
				metrics,
			});
		}),
	);
	app.delete(
		'/sessions/:id',
		ofSession(async (c, session) => {
			const submitted = await deps.desk.submit(session.id, {
				kind: 'cancel',
				id: `cancel:${session.id}`,
				author: { id: c.get('caller').personId, bot: false },
				reason: 'discarded',
			});
			if (submitted.kind === 'unavailable') return unavailable(c, { ...submitted, sessionId: session.id });
			const now = await ownSession(deps, c.get('caller'), session.id);
			return c.json({ sessionId: session.id, state: now?.state ?? 'CANCELLED' });
		}),
	);

	return {
		path: PATH,
		app: app as unknown as Hono,
		openapi: { paths: cxpPaths() },
		bodyLimitBytes: OUTER_LIMIT_BYTES,
		async close() {
			closing.abort();
			await moves.close();
		},
	};
}
