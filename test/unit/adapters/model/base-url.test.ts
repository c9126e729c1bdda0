import { expect, test } from 'vitest';
import { createAnthropicModel } from '../../../../adapters/model/anthropic.ts';
import { checkBaseUrl, ModelUrlError } from '../../../../adapters/model/base-url.ts';
import { createOllamaModel } from '../../../../adapters/model/ollama.ts';

test.each(['http://127.0.0.1:11434', 'https://ollama.lan/', 'http://[::1]:11434', 'https://proxy.example/anthropic/'])(
	'S03 %s may be a base address',
	(url) => expect(checkBaseUrl('url', url)).toBe(url.replace(/\/$/, '')),
);

test.each([
	'http://169.254.169.254/latest/meta-data/',
	'http://2852039166/latest',
	'http://[fe80::1]:11434',
	'http://metadata.google.internal',
	'file:///etc/passwd',
	'ws://ha.local:8123',
	'http://user:hunter2@ollama.lan:11434',
	'http://ollama.lan:11434/../admin',
	'http://ollama.lan:11434/%2e%2e/admin',
	'http://ollama.lan?x=1',
	'ollama.lan:11434',
	'',
])('S03 %s may not, and the refusal names the field but not the address', (url) => {
	let refused: unknown;
	try {
		checkBaseUrl('model.ollama.url', url);
	} catch (error) {
		refused = error;
	}
	expect(refused).toBeInstanceOf(ModelUrlError);
	expect(String(refused)).toContain('model.ollama.url');
	expect(String(refused)).not.toContain('hunter2');
});

test('S03 both adapters check their address when they are made', () => {
	expect(() => createOllamaModel({ baseUrl: 'file:///x', model: 'm' })).toThrow(ModelUrlError);
	expect(() => createAnthropicModel({ baseUrl: 'http://a:b@c', model: 'm', apiKey: 'k' })).toThrow(ModelUrlError);
});
