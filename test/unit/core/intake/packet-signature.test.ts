import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkSignature, signPacket } from '../../../../core/intake/packet-signature.ts';

const key = { id: 'k1', secret: 'sixteen characters' };
const packet = { from: 'HUMAN', to: 'U:Cx', subject: 'intent', body: 'a shop' };
const now = 1_700_000_000_000;
const signed = () => signPacket(packet, key, now, 'nonce-123');

describe('signatures', () => {
	test('INT-21 a signed packet is accepted in its window, whatever the order of its members', () => {
		expect(checkSignature(signed(), [key], now + 60_000, 60_000)).toMatchObject({ ok: true });
		const turned = Object.fromEntries(Object.entries(signed()).reverse());
		expect(checkSignature(turned, [{ id: 'k0', secret: 'another' }, key], now, 60_000)).toMatchObject({ ok: true });
	});

	test('INT-21 E03 what is missing, old, early, of another key or changed is told apart and refused', () => {
		const why = (given: Record<string, unknown>, at = now) => {
			const checked = checkSignature(given, [key], at, 60_000);
			return checked.ok ? 'ok' : checked.why;
		};
		expect(why(packet)).toBe('missing');
		expect(why({ ...packet, signature: 'x' })).toBe('malformed');
		expect(why({ ...packet, signature: { ...signed().signature, extra: 1 } })).toBe('malformed');
		expect(why(signed(), now + 60_001)).toBe('too_old');
		expect(why(signed(), now - 60_001)).toBe('from_the_future');
		expect(why({ ...signed(), signature: { ...signed().signature, keyId: 'k2' } })).toBe('unknown_key');
		expect(why(signPacket(packet, { id: 'k1', secret: 'another secret!!' }, now, 'nonce-123'))).toBe('wrong');
	});

	test('INT-21 any change of packet or signature breaks it', () => {
		fc.assert(
			fc.property(fc.constantFrom('from', 'to', 'subject', 'body', 'more'), fc.string(), (field, text) => {
				fc.pre((packet as Record<string, string>)[field] !== text);
				expect(checkSignature({ ...signed(), [field]: text }, [key], now, 60_000).ok).toBe(false);
			}),
		);
		for (const change of [{ at: now + 1 }, { nonce: 'nonce-124' }])
			expect(
				checkSignature({ ...signed(), signature: { ...signed().signature, ...change } }, [key], now, 60_000).ok,
			).toBe(false);
	});
});
