import { canonicalJson } from '../../../core/intake/canonical-json.ts';
import type { IntakeErrorCode } from '../../../core/intake/error-code.ts';
import { sha256 } from '../../../core/intake/hash.ts';
import type { Submitted } from '../../../core/intake/intake-desk.ts';
import { checkSignature } from '../../../core/intake/packet-signature.ts';
import { type Routed, routePacket } from '../../../core/intake/route-packet.ts';
import type { IntakeSession, UnavailableReason } from '../../../core/intake/session.ts';
import type { Caller, CxpDeps } from './cxp-deps.ts';

/** What became of a packet that came in. */
export type Taken =
	| { readonly kind: 'refused'; readonly code: IntakeErrorCode; readonly detail: string; readonly sessionId?: string }
	| {
			readonly kind: 'unavailable';
			readonly reason: UnavailableReason;
			readonly kept: boolean;
			readonly sessionId?: string;
	  }
	/** The session answers, or has answered, with something numbered above `after`. */
	| { readonly kind: 'taken'; readonly sessionId: string; readonly after: number };

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Checks a packet, writes it on the trail and hands it in. Rejects when the store cannot be reached. */
export async function takePacket(deps: CxpDeps, caller: Caller, raw: unknown): Promise<Taken> {
	if (isFields(raw)) {
		const problem = await signatureProblem(deps, caller, raw);
		if (problem) return { kind: 'refused', code: 'E03', detail: problem };
	}
	const given = isFields(raw) && typeof raw['sessionId'] === 'string' ? raw['sessionId'] : undefined;
	const session = given === undefined ? undefined : await ownSession(deps, caller, given);
	const settings = deps.settings();
	const newId = deps.random.id();
	const routed = routePacket(raw, { session, settings, newId, caller: caller.personId });
	if (!routed.ok) return { kind: 'refused', ...routed, ...(session ? { sessionId: session.id } : {}) };
	if (given !== undefined && !session)
		return { kind: 'refused', code: 'E04', detail: 'this session is not there, or not yours' };
	if (!settings.enabled) return { kind: 'unavailable', reason: 'worker', kept: false };
	return handIn(deps, caller, routed, session, sha256(canonicalJson(raw)));
}

async function handIn(
	deps: CxpDeps,
	caller: Caller,
	{ event, from, subject }: Extract<Routed, { ok: true }>,
	session: IntakeSession | undefined,
	hash: string,
): Promise<Taken> {
	const packetId = 'id' in event ? event.id : '';
	const at = deps.clock.now();
	const sessionId = session?.id ?? deps.random.id().slice(0, 40);
	await deps.audit.append({
		id: `in:${caller.name}:${packetId}`,
		sessionId,
		entry: { what: 'packet_in', packetId, from, subject, hash, caller: caller.name, at },
	});
	if (!session && event.kind === 'intent') {
		const opened = await deps.desk.open(
			{
				id: sessionId,
				place: { kind: 'cxp', caller: caller.name },
				requesterId: caller.personId,
				language: deps.settings().language,
				review: false,
			},
			event,
			`cxp:${caller.name}:${packetId}`,
		);
		if (opened.kind === 'exists') return { kind: 'taken', sessionId: opened.sessionId, after: 0 };
		if (opened.kind === 'unavailable') return opened;
		return outcome(opened.first, sessionId, 0);
	}
	const before = (await deps.surface.items(sessionId, 'cxp')).length;
	const submitted = await deps.desk.submit(sessionId, event);
	// Sent before: what was answered then is at the end.
	return outcome(submitted, sessionId, submitted.kind === 'duplicate' ? Math.max(0, before - 1) : before);
}

function outcome(submitted: Submitted, sessionId: string, after: number): Taken {
	if (submitted.kind === 'unavailable') return { ...submitted, sessionId };
	if (submitted.kind === 'unknown') return { kind: 'refused', code: 'E07', detail: 'it was deleted', sessionId };
	return { kind: 'taken', sessionId, after };
}

/** The caller's own session; others do not exist for it. */
export async function ownSession(
	deps: Pick<CxpDeps, 'store'>,
	caller: Caller,
	sessionId: string,
): Promise<IntakeSession | undefined> {
	if (!/^[\w-]{1,40}$/.test(sessionId)) return undefined;
	const loaded = await deps.store.load(sessionId);
	if (!('session' in loaded)) return undefined;
	const { place } = loaded.session;
	return place.kind === 'cxp' && place.caller === caller.name ? loaded.session : undefined;
}

async function signatureProblem(deps: CxpDeps, caller: Caller, packet: Fields): Promise<string | undefined> {
	const { requireSignature, replayWindowMs } = deps.settings().cxp;
	if (!requireSignature && packet['signature'] === undefined) return undefined;
	const checked = checkSignature(packet, caller.keys, deps.clock.now(), replayWindowMs);
	if (!checked.ok) return `signature: ${checked.why}`;
	const name = `${caller.name}:${checked.signature.keyId}:${sha256(checked.signature.nonce)}`;
	// Remembered for longer than such a packet could count.
	const isFirst = await deps.nonces.first(name, 2 * replayWindowMs + 10_000);
	return isFirst ? undefined : 'this packet was sent before; sign it anew to send it again';
}
