import { expect, test } from 'vitest';
import { HomeError, toHomeError } from '../../../../adapters/home/home-error.ts';

test.each([
	['a bare 1', 1, 'cannot_connect'],
	['a bare 2', 2, 'invalid_auth'],
	['a bare 3: never sent', 3, 'not_sent'],
	['a bare 4', 4, 'host_required'],
	['an unknown number', 99, 'unexpected'],
	['a server error', { code: 'not_found', message: 'Service light.x not found.' }, 'not_found'],
	[
		'an error in a result: sent, then lost',
		{ type: 'result', success: false, error: { code: 3, message: 'Connection lost' } },
		'connection_lost',
	],
	['a server error in a result', { error: { code: 'invalid_format', message: 'bad' } }, 'invalid_format'],
	['an Error', new Error('socket hang up'), 'unexpected'],
	['an Error with a system code', Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
	['nothing', undefined, 'unexpected'],
	['text', 'oh no', 'unexpected'],
	['an empty object', {}, 'unexpected'],
	['a null error', { error: null }, 'unexpected'],
])('H01 %s becomes one kind of error', (_what, thrown, code) => {
	const error = toHomeError(thrown);
	expect(error).toBeInstanceOf(HomeError);
	expect(error.code).toBe(code);
	expect(error.message).not.toBe('');
	expect(`${error}`).not.toContain('[object Object]');
	expect(error.message).not.toBe('undefined');
});

test('H04 the words of Home Assistant are kept', () => {
	expect(toHomeError({ code: 'not_found', message: 'Service light.x not found.' }).message).toBe(
		'Service light.x not found.',
	);
	const already = new HomeError('deadline', 'late');
	expect(toHomeError(already)).toBe(already);
});
