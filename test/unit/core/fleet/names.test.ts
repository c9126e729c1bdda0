import fc from 'fast-check';
import { expect, test } from 'vitest';
import { namedSessions, namesEverybody } from '../../../../core/fleet/named-sessions.ts';
import { resolveSession, unresolvedText } from '../../../../core/fleet/resolve-session.ts';
import type { FleetSession } from '../../../../core/fleet/session.ts';
import { cleanName, freeName, isReservedName } from '../../../../core/fleet/session-name.ts';
import { nothing, play, report } from './fixture.ts';

const named = (id: string, name: string, directory: string, endedAt?: number) =>
	({ id, name, directory, ...(endedAt === undefined ? {} : { endedAt }) }) as FleetSession;
const FLEET = [
	named('019fc92c-066f-7', 'api', '/w/one'),
	named('019fc92c-b5f7-7', 'api', '/w/two'),
	named('019fd000-0000-7', 'api-fix', '/w/three'),
];
const kindOf = (query: string) => resolveSession(query, FLEET).kind;

test('X02 FLT-1 a name or id that fits several is refused with candidates long enough to tell them apart', () => {
	for (const query of ['api', '019fc92c']) {
		const resolved = resolveSession(query, FLEET);
		if (resolved.kind !== 'ambiguous') throw new Error(resolved.kind);
		const ids = resolved.candidates.map(({ id }) => id);
		expect(ids).toEqual(['019fc92c-0', '019fc92c-b']);
		for (const id of ids) expect(kindOf(id)).toBe('one');
		expect(unresolvedText(query, resolved)).toContain('/w/two');
	}
});

test('X02 a longer beginning and another case find the one that is meant', () => {
	expect(resolveSession('019fc92c-b5', FLEET)).toMatchObject({ kind: 'one', session: { directory: '/w/two' } });
	expect(resolveSession('API-FIX', FLEET)).toMatchObject({ kind: 'one', session: { directory: '/w/three' } });
	expect(resolveSession('api-', FLEET)).toMatchObject({ kind: 'one', session: { name: 'api-fix' } });
});

test('X02 a slip is refused with a suggestion, and the concierge is no session', () => {
	const resolved = resolveSession('apifix', FLEET);
	expect(resolved).toEqual({ kind: 'none', suggestions: ['api-fix'] });
	if (resolved.kind === 'none') expect(unresolvedText('apifix', resolved)).toContain('Did you mean api-fix?');
	expect(kindOf('concierge')).toBe('self');
	expect(kindOf('@Concierge')).toBe('self');
	expect(kindOf('')).toBe('none');
	expect(kindOf('019')).toBe('none');
});

test('X02 an ended session does not stand in the way of a living one, and is found when it is meant', () => {
	const fleet = [named('s1aaaaaa', 'build-old', '/w', 1), named('s2bbbbbb', 'build-new', '/w')];
	expect(resolveSession('build', fleet)).toMatchObject({ kind: 'one', session: { name: 'build-new' } });
	expect(resolveSession('build-old', fleet)).toMatchObject({ kind: 'one', session: { name: 'build-old' } });
});

test('FLT-1 FLT-17 no session gets the name of the concierge, however it is spelt', () => {
	for (const name of [
		'concierge',
		'Concierge',
		'CONCIERGE',
		'con-cierge',
		'сonciеrge',
		'ｃｏｎｃｉｅｒｇｅ',
		'concierge.',
		'conciеrɡe',
		'ᴄᴏɴᴄɪᴇʀɢᴇ',
	]) {
		expect(isReservedName(name)).toBe(true);
		const given = freeName(name, () => false);
		expect(isReservedName(given)).toBe(false);
	}
	expect(isReservedName('concierge-tests')).toBe(false);
	const { session } = play(nothing(), [report('started', { session: { name: 'concierge' } })]);
	expect(session!.name).toBe('concierge-2');
	let kept = play(nothing(), [report('started', { session: { name: 'api' } })]);
	for (const name of ['concierge', 'CONCIERGE ', '\u200bconcierge', 'con\u00adcierge'])
		kept = play(kept, [report('working', { session: { name } })]);
	expect(isReservedName(kept.session!.name)).toBe(false);
});

test('FLT-1 names are unique: the second gets a number and keeps it', () => {
	const names = new Map([['other', 'api']]);
	let kept = play(nothing(), [report('started', { session: { name: 'api' } })], { names });
	expect(kept.session!.name).toBe('api-2');
	kept = play(kept, [report('working', { session: { name: 'api' } })], {
		names: new Map([[kept.session!.id, 'api-2']]),
	});
	expect(kept.session!.name).toBe('api-2');
	kept = play(kept, [report('working', { session: { name: 'api-tests' } })], { names });
	expect(kept.session!.name).toBe('api-tests');
});

test('FLT-1 a session without a name is called after its folder', () => {
	const { session } = play(nothing(), [report('started', { session: { directory: '/home/me/My Shop!/' } })]);
	expect(session!.name).toBe('My-Shop');
	expect(cleanName(' \n\u202e ')).toBeUndefined();
	expect(cleanName('\u0336\u0337__-')).toBeUndefined();
});

test('FLT-11 only words that name a session name it', () => {
	const of = (text: string) => [...namedSessions(text, FLEET.slice(2))];
	expect(of('tell api-fix, please')).toEqual(['019fd000-0000-7']);
	expect(of('tell API-FIX.')).toEqual(['019fd000-0000-7']);
	expect(of('tell api- what you found')).toEqual([]);
	expect(of('tell it what you found')).toEqual([]);
	expect(namesEverybody('tell everyone to pull')).toBe(true);
	expect(namesEverybody('tell the wall-e session')).toBe(false);
});

test('FLT-1 a name that needs no cleaning is what cleaning would make of it', () => {
	const letters = fc.string({ unit: fc.constantFrom(...'abAZ09-._ é…\n/'), maxLength: 45 });
	const plain = fc.string({ unit: fc.constantFrom(...'abAZ09-._'), maxLength: 45 });
	fc.assert(
		fc.property(fc.oneof(letters, plain), (wanted) => {
			// The blank makes it take the long way, which cuts blanks off first.
			expect(cleanName(wanted)).toBe(cleanName(` ${wanted}`));
		}),
		{ numRuns: 3_000 },
	);
});
