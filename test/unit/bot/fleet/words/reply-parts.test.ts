import fc from 'fast-check';
import { expect, test } from 'vitest';
import { replyParts } from '../../../../../bot/fleet/asks/reply-parts.ts';

const ask = { whoId: '1000000000000000002', replyTo: { channelId: '1', messageId: '1523456789012345678' } };
const partsOf = (text: string, isReply = true) => replyParts({ id: 'reply:1', ask, text, head: '<@2> asked', isReply });

test('FLT-14 D03 whatever is answered, it fits, calls the asker once and can call nobody else', () => {
	fc.assert(
		fc.property(fc.string({ minLength: 1, maxLength: 12_000, unit: 'grapheme' }), (text) => {
			fc.pre(text.trim() !== '');
			const parts = partsOf(text);
			for (const [index, { content, allowedMentions }] of parts.entries()) {
				expect(content?.length).toBeLessThanOrEqual(2_000);
				expect(allowedMentions?.parse).toEqual([]);
				expect(allowedMentions?.users ?? []).toEqual(index === 0 ? [ask.whoId] : []);
				expect(allowedMentions?.repliedUser).toBe(index === 0);
			}
		}),
		{ numRuns: 50 },
	);
});

test('FLT-14 the answer to a message is a reply to it; elsewhere it names the asker and the question', () => {
	expect(partsOf('fine')).toMatchObject([{ content: 'fine', reply: { messageReference: ask.replyTo.messageId } }]);
	const [elsewhere] = partsOf('fine', false);
	expect(elsewhere).toMatchObject({ content: '<@2> asked\nfine' });
	expect(elsewhere).not.toHaveProperty('reply');
});

test('FLT-14 D11 the same answer again is the same messages, another one is not', () => {
	const long = 'word '.repeat(1_000);
	expect(partsOf(long).map(({ nonce }) => nonce)).toEqual(partsOf(long).map(({ nonce }) => nonce));
	expect(new Set(partsOf(long).map(({ nonce }) => nonce)).size).toBe(partsOf(long).length);
	const other = replyParts({ id: 'reply:2', ask, text: 'fine', head: '', isReply: true });
	expect(other[0]?.nonce).not.toBe(partsOf('fine')[0]?.nonce);
});
