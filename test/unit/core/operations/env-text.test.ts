import { parseEnv } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UnwritableValue, withVariables } from '../../../../core/operations/env-text.ts';

describe('withVariables', () => {
	test('OPS-3 what is written is what is read again, for any secret that can be written at all', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'grapheme-ascii', maxLength: 60 }), (value) => {
				try {
					const text = withVariables(undefined, '# head\nSECRET=\nOTHER=1\n', { SECRET: value });
					expect(parseEnv(text)).toEqual({ SECRET: value, OTHER: '1' });
				} catch (error) {
					if (!(error instanceof UnwritableValue)) throw error;
					expect(value).toMatch(/'.*["$\\`]|["$\\`].*'|[\r\n]/s);
				}
			}),
		);
	});

	test('OPS-3 other lines, comments and order stay; a new variable goes to the end', () => {
		const before = '# mine\nexport A=1\n\n#A=commented\nB = 2';
		expect(withVariables(before, '', { A: 'x', C: 'a b$' })).toBe("# mine\nA=x\n\n#A=commented\nB = 2\nC='a b$'\n");
	});
});
