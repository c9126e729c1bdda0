import { expect, test } from 'vitest';
import { createHomeAssistant } from '../../../../adapters/home/home-assistant.ts';
import { HomeError } from '../../../../adapters/home/home-error.ts';
import { checkHomeUrl } from '../../../../adapters/home/home-url.ts';

test.each([
	['http://homeassistant.local:8123', 'http://homeassistant.local:8123'],
	['http://homeassistant.local:8123/', 'http://homeassistant.local:8123'],
	[' https://home.example.org/ha// ', 'https://home.example.org/ha'],
	['http://127.0.0.1:8123', 'http://127.0.0.1:8123'],
	['http://192.168.1.20:8123', 'http://192.168.1.20:8123'],
	['http://[::1]:8123', 'http://[::1]:8123'],
])('S03 %s is taken as %s', (text, url) => {
	expect(checkHomeUrl(text)).toEqual({ kind: 'ok', url });
});

test.each([
	'http://169.254.169.254/latest/meta-data/',
	'http://2852039166/',
	'http://0xa9fea9fe/',
	'http://[fe80::1]:8123',
	'http://[::ffff:169.254.169.254]/',
	'http://metadata.google.internal/',
	'file:///etc/passwd',
	'ws://ha.local:8123',
	'http://user:pw@homeassistant.local:8123',
	'http://ha.local:8123/../admin',
	'http://ha.local:8123/?token=1',
	'http://ha.local:8123/api/websocket',
	'homeassistant.local',
	'',
])('S03 %s is refused', (text) => {
	expect(checkHomeUrl(text).kind).toBe('refused');
});

test('S03 a refusal names the field and never repeats what was in it', () => {
	const make = () =>
		createHomeAssistant({
			url: 'http://user:hunter2@homeassistant.local:8123',
			token: 'secret',
			entityIds: [],
			log: { info() {}, warn() {}, error() {} },
			now: () => 0,
		});
	expect(make).toThrow(HomeError);
	expect(make).toThrow(/address must not contain a user name/);
	expect(make).not.toThrow(/hunter2/);
});
