import { expect, test } from 'vitest';
import { addressKind, saysName } from '../../../../core/chat/address.ts';
import { line } from '../overseer/room-fixture.ts';

const names = { name: 'Overseer', aliases: ['bot'] };

test.each([
	'overseer you watching this?',
	'OVERSEER!',
	'hey,overseer.',
	'(bot)',
	'bot',
	"the overseer's lift",
	'Bot: up',
	'über-bot',
	'ＢＯＴ up',
	'botさん、上げて',
	'over\u200bseer',
	'o\u00adverseer',
	'你好bot你在吗',
	'봇 bot아 올려',
])('OVR-2 addressed by name: %s', (text) => {
	expect(saysName(text, names)).toBe(true);
});

test.each([
	'bottom',
	'robot',
	'robots',
	'botox',
	'overseers',
	'bots',
	'bot_1',
	'bot2',
	'abot',
	'bοt',
	'https://bot.example/overseer',
	'böt',
	'botë',
])('OVR-2 not addressed: %s', (text) => {
	expect(saysName(text, names)).toBe(false);
});

test('OVR-29 any configured name works: blanks, dots, other scripts, signs that regular expressions know', () => {
	expect(saysName('so, hal  9000, open', { name: 'HAL 9000', aliases: [] })).toBe(true);
	expect(saysName('hal 90001', { name: 'HAL 9000', aliases: [] })).toBe(false);
	expect(saysName('dr.who?', { name: 'Dr.Who', aliases: [] })).toBe(true);
	expect(saysName('drxwho', { name: 'Dr.Who', aliases: [] })).toBe(false);
	expect(saysName('НАДЗИРАТЕЛЬ, свет', { name: 'Надзиратель', aliases: [] })).toBe(true);
	expect(saysName('監視者さん', { name: '監視者', aliases: [] })).toBe(true);
	expect(saysName('Äußerst', { name: 'äu', aliases: [] })).toBe(false);
	expect(saysName('anything', { name: 'Overseer', aliases: [''] })).toBe(false);
});

test('OVR-2 a mention and a reply address without the name; programs never do', () => {
	expect(addressKind(line(1, 0, 'sam', 'hm', { mention: true }), names)).toBe('mention');
	expect(addressKind(line(1, 0, 'sam', 'hm', { reply: true }), names)).toBe('reply');
	expect(addressKind(line(1, 0, 'sam', 'hm'), names)).toBeUndefined();
	for (const flags of [{ mention: true }, { reply: true }, {}]) {
		expect(addressKind(line(1, 0, 'log', 'overseer!', { ...flags, bot: true }), names)).toBeUndefined();
	}
});

test('D04 a webhook or another bot that says our name is no person and no address', () => {
	expect(
		addressKind(line(1, 0, 'B2', 'Overseer: the model returned no response.', { bot: true }), names),
	).toBeUndefined();
});
