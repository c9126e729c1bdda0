import { type IntakeSession, readSession } from '../../../core/intake/session.ts';

/** Sessions in a JSON export: one of `/intake export`, a bare session, or a list of either. Throws with the place of what is none. */
export function recordedSessions(name: string, text: string): readonly IntakeSession[] {
	let found: unknown;
	try {
		found = JSON.parse(text);
	} catch {
		throw new Error(`${name} is not JSON`);
	}
	const list = Array.isArray(found) ? found : [found];
	return list.map((one: unknown, at) => {
		const inner = typeof one === 'object' && one !== null && 'session' in one ? one.session : one;
		const session = readSession(inner);
		if (session === undefined)
			throw new Error(`${name}: ${list.length > 1 ? `entry ${at + 1}` : 'this'} is no intake session`);
		return session;
	});
}
