import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isSameSecret } from '../../../../adapters/http/secret-compare.ts';

const ROOT = new URL('../../../../', import.meta.url).pathname;
const sources = ['adapters', 'bot', 'core', 'jobs', 'config'].flatMap((room) =>
	readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.ts'))
		.map((name) => join(room, name)),
);

const COMPARISON = /([\w.?!()[\]]+|'[^']*') (?:===|!==) ([\w.?!()[\]]+|'[^']*')/g;
const SECRET = /(?:token|secret|password|passphrase|signature|hmac)[?!)\]]*$/i;
const HARMLESS = /^(?:undefined|null|true|false|\d.*|'.*'\)*;?)[)\]]*$/;

/** Comparisons of a secret with something that an attacker may have sent. */
function leaks(text: string): string[] {
	return [...text.matchAll(COMPARISON)]
		.filter(([, left = '', right = '']) => SECRET.test(left) || SECRET.test(right))
		.filter(([, left = '', right = '']) => !HARMLESS.test(left) && !HARMLESS.test(right))
		.map(([whole]) => whole);
}

test('OPS-17 no secret is compared with an operator that tells by its time how much was right', () => {
	const found = sources.flatMap((file) =>
		leaks(readFileSync(join(ROOT, file), 'utf8')).map((line) => `${file}: ${line}`),
	);
	expect(found).toEqual([]);
	for (const leaky of ['if (given === settings.adminToken) x', 'password !== wanted', "a.secret === b['x']"])
		expect(leaks(leaky), leaky).toHaveLength(1);
	for (const fine of ["url.password !== ''", 'token === undefined', 'maxTokens === limit'])
		expect(leaks(fine), fine).toEqual([]);
});

test('OPS-17 nothing equals a secret that is not set', () => {
	expect([isSameSecret(undefined, undefined), isSameSecret('', ''), isSameSecret('a', undefined)]).toEqual([
		false,
		false,
		false,
	]);
	expect([isSameSecret('same', 'same'), isSameSecret('same', 'samer')]).toEqual([true, false]);
});
