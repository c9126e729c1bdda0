import { afterAll, beforeAll, expect, test } from 'vitest';
import { RIA } from '../../support/fleet.ts';
import { eventually } from '../../support/redis.ts';
import { openWordsRig, type WordsRig } from './words-rig.ts';

let rig: WordsRig;
beforeAll(async () => {
	rig = await openWordsRig();
	await rig.working('api', 'api-fix');
}, 90_000);
afterAll(() => rig?.close());

const replied = (messageId: string) =>
	eventually('the answer', async () => (await rig.control.messages({ channel: 'fleet', replyTo: messageId })).at(0));

test('FLT-14 FLT-20 without a model people are told so and given the list that code makes', async () => {
	await rig.bench.desks.conciergeDesk.on(RIA);
	const question = await rig.say('fleet', '? what is blocked', 'sam');
	const answer = await replied(question.id);
	expect(answer.text).toContain('No model is set');
	expect(answer.text).toContain('api-fix: working');
	expect(answer.pings).toEqual(['sam']);
}, 60_000);

test('FLT-14 in a channel that is a room as well, questions are the concierge’s and all else is the room’s', async () => {
	const [room] = rig.house.settings().rooms;
	if (room === undefined) throw new Error('no room');
	rig.house.change({ rooms: [{ ...room, channelId: rig.house.discord.channels['fleet'] ?? '' }] });
	const question = await rig.say('fleet', '? is it warm');
	await replied(question.id);
	await rig.say('fleet', 'it is cold in here');
	await rig.say('fleet', '@Majordomo light please');
	await eventually('the room hears the rest', () => rig.house.heard().length === 2);
	expect(rig.house.heard().join(' ')).not.toContain('is it warm');
}, 60_000);
