import { expect, test } from 'vitest';
import { directoryChoices, kindChoices, sessionChoices } from '../../../../../bot/fleet/fleet-suggestions.ts';
import type { FleetSession } from '../../../../../core/fleet/session.ts';
import { report, sessionOf } from '../../../core/fleet/fixture.ts';

const session = (name: string, ...kinds: Parameters<typeof report>[0][]) =>
	sessionOf(name, [report('started'), ...kinds.map((kind) => report(kind))]).session as FleetSession;

test('FLT-15 sessions are suggested by what they begin with, then by what they hold, the urgent first', () => {
	const sessions = [
		session('web-api', 'working'),
		session('api-docs', 'working'),
		session('api-fix', 'working', 'failed'),
	];
	const names = (typed: string) => sessionChoices(sessions, typed).map(({ name }) => name.split(' ')[0]);
	expect(names('api')).toEqual(['api-fix', 'api-docs', 'web-api']);
	expect(names('WEB')).toEqual(['web-api']);
	expect(names('')).toHaveLength(3);
	const [first] = sessionChoices(sessions, 'api-f');
	expect(first?.value).toBe(sessions[2]?.id);
});

test('FLT-15 never more than Discord shows, and never longer', () => {
	const many = Array.from({ length: 60 }, (_, index) => session(`session-with-a-rather-long-name-${index}`));
	const choices = sessionChoices(many, 'session');
	expect(choices).toHaveLength(25);
	for (const { name, value } of choices) expect(Math.max(name.length, value.length)).toBeLessThanOrEqual(100);
});

test('FLT-16 a list of kinds is gone on with, without those it has', () => {
	expect(kindChoices('fail').map(({ value }) => value)).toEqual(['failed']);
	expect(kindChoices('failed, quest').map(({ value }) => value)).toEqual([
		'failed, questions',
		'failed, question',
		'failed, question_closed',
	]);
	expect(kindChoices('nothing-like-it')).toEqual([]);
});

test('FLT-15 folders are suggested from what machines offer; what lies below one may be typed on', () => {
	const hosts = [
		{ host: 'laptop', directories: ['/srv/shop', '/home/ria'], seenAt: 1 },
		{ host: 'server', directories: ['/srv/shop', '/srv/api'], seenAt: 1 },
	];
	const values = (typed: string, host = '') => directoryChoices(hosts, typed, host).map(({ value }) => value);
	expect(values('')).toEqual(['/srv/shop', '/home/ria', '/srv/api']);
	expect(values('/srv/s')).toEqual(['/srv/shop']);
	expect(values('', 'server')).toEqual(['/srv/shop', '/srv/api']);
	expect(values('/home/ria/x', 'server')).toEqual([]);
	expect(values('/home/ria/x')[0]).toBe('/home/ria/x');
	expect(values('/srv/shopping')).toEqual([]);
});
