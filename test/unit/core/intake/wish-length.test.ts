import { expect, test } from 'vitest';
import { isTooShort } from '../../../../core/intake/wish-length.ts';

test('INT-16 a slip of the finger is no wish; a single word can be one, in any script', () => {
	for (const wish of ['x', 'ok', 'hi!', '...', '🙂🙂🙂🙂', ' a b ']) expect(isTooShort(wish), wish).toBe(true);
	for (const wish of ['Shop', 'crm 2', 'Webseite', '商店', 'магазин']) expect(isTooShort(wish), wish).toBe(false);
});
