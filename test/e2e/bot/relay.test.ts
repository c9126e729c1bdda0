import { afterEach, describe, expect, test } from 'vitest';
import type { ChatMessage } from '../../../core/chat/message.ts';
import { type BotHouse, type BotHouseOptions, createBotHouse } from '../../support/bot-house.ts';
import { eventually } from '../../support/fakes/eventually.ts';
import { createMemoryBus } from '../../support/fakes/memory-bus.ts';

let house: BotHouse;
const undelivered: { id: string; code: number }[] = [];
const open = async (options: BotHouseOptions = {}) => {
	undelivered.length = 0;
	const undeliverable = (message: ChatMessage, code: number) => void undelivered.push({ id: message.id, code });
	house = await createBotHouse({ ...options, deps: { undeliverable, ...options.deps } });
	await house.newBot().start();
	return house;
};
afterEach(() => house.close());

const sends = () => house.control.requests({ route: 'POST /channels/:id/messages' });
const texts = async (channel = 'room') => (await house.posted(channel)).map((message) => message.text);
const SEND_PATH = '/channels/*/messages';

describe('relay', () => {
	test('OPS-12 only lines of our own runtimes are posted, as replies where they answer somebody', async () => {
		await open();
		const asked = await house.control.message({ as: 'alex', channel: 'room', text: 'overseer?' });
		await house.bus.publish({ ...house.botLine('b0', 'from a sibling'), source: 'discord' });
		await house.bus.publish({ ...house.botLine('h0', 'a person elsewhere'), bot: false });
		await house.bus.publish(house.botLine('b1', 'Yes.', { replyTo: { id: asked.id, toBot: false } }));
		const posted = await house.control.waitMessage({ channel: 'room', contains: 'Yes.', after: '0' });
		expect(posted.replyTo?.id).toBe(asked.id);
		expect(posted.pings).toEqual([]);
		expect(await texts()).toEqual(['Yes.']);
	});

	test('OPS-12 an answer to a message that was deleted is posted all the same', async () => {
		await open();
		const asked = await house.control.message({ as: 'alex', channel: 'room', text: 'overseer?' });
		await house.control.delete({ as: 'alex', message: asked.id });
		await house.bus.publish(house.botLine('b1', 'Too late?', { replyTo: { id: asked.id, toBot: false } }));
		await house.control.waitMessage({ channel: 'room', contains: 'Too late?', after: '0' });
	});

	test('OPS-12 D01 a long answer comes in order, whole fences each, and the rest as one file', async () => {
		await open();
		const code = `\`\`\`ts\n${Array.from({ length: 700 }, (_, i) => `const line${i} = compute(${i});`).join('\n')}\n\`\`\``;
		await house.bus.publish(house.botLine('long', code));
		await eventually(async () => (await texts()).length === 5);
		const posted = await house.posted();
		for (const message of posted) expect(message.text.match(/```/g)).toHaveLength(2);
		expect(posted.map((message) => message.attachments.length)).toEqual([0, 0, 0, 0, 1]);
		expect(posted[4]?.attachments[0]?.name).toBe('continued.md');
		expect(posted.map((message) => message.text.match(/line(\d+) /)?.[1]).map(Number)).toEqual([
			0,
			...posted.slice(1).map((m) => Number(m.text.match(/line(\d+) /)?.[1])),
		]);
	});

	test('OPS-15 a line delivered again after a kill is not posted twice', async () => {
		await open();
		const line = house.botLine('b1', 'Once only.');
		await house.bus.publish(line);
		await house.control.waitMessage({ channel: 'room', contains: 'Once only', after: '0' });
		// What a process finds after a kill between posting and acknowledging: the same line, not yet taken.
		const again = createMemoryBus();
		await house.newBot({ bus: again }).start();
		await again.publish(line);
		await again.publish(house.botLine('b2', 'Next.'));
		await house.control.waitMessage({ channel: 'room', contains: 'Next.', after: '0' });
		expect(await texts()).toEqual(['Once only.', 'Next.']);
	});

	test('OPS-15 an answer whose request took effect but was never confirmed is not posted twice', async () => {
		await open();
		await house.control.restFault({ kind: 'drop', method: 'POST', path: SEND_PATH, afterEffect: true, times: 2 });
		await house.bus.publish(house.botLine('b1', 'Once only.'));
		await house.bus.publish(house.botLine('b2', 'Next.'));
		await house.control.waitMessage({ channel: 'room', contains: 'Next.', after: '0', timeoutMs: 20_000 });
		expect(await texts()).toEqual(['Once only.', 'Next.']);
	});

	test('OPS-15 an old line that Discord has forgotten the nonce of is looked up in the channel', async () => {
		await open();
		const at = Date.now() - 5 * 60_000;
		const asked = await house.control.message({ as: 'alex', channel: 'room', text: 'overseer?' });
		const line = house.botLine('b1', 'Once only.', { at, replyTo: { id: asked.id, toBot: false } });
		await house.bus.publish(line);
		await house.control.waitMessage({ channel: 'room', contains: 'Once only', after: '0' });
		await house.control.clock({ advanceMs: 6 * 60_000 });
		const again = createMemoryBus();
		await house.newBot({ bus: again }).start();
		await again.publish(line);
		await again.publish(house.botLine('b2', 'Next.'));
		await house.control.waitMessage({ channel: 'room', contains: 'Next.', after: '0' });
		expect(await texts()).toEqual(['Once only.', 'Next.']);
	});

	test('OVR-8 chatter that nobody waited for is not posted minutes late', async () => {
		await open();
		await house.bus.publish(house.botLine('b1', 'A remark.', { at: Date.now() - 10 * 60_000 }));
		await house.bus.publish(house.botLine('b2', 'Now.'));
		await house.control.waitMessage({ channel: 'room', contains: 'Now.', after: '0' });
		expect(await texts()).toEqual(['Now.']);
		expect(undelivered).toEqual([{ id: 'b1', code: 0 }]);
	});

	test('D08 OPS-12 a server trouble is tried again, in order', async () => {
		await open();
		await house.control.restFault({ kind: 'error', method: 'POST', path: SEND_PATH, status: 503, times: 6 });
		await house.bus.publish(house.botLine('b1', 'first'));
		await house.bus.publish(house.botLine('b2', 'second'));
		await house.control.waitMessage({ channel: 'room', contains: 'second', after: '0', timeoutMs: 20_000 });
		expect(await texts()).toEqual(['first', 'second']);
	});

	test('D08 a missing permission is no retry: one request, the operator is told, others go on, a repair is noticed', async () => {
		await open();
		const room = house.discord.channels['room'] ?? '';
		await house.control.channelPermissions({ channel: 'room', target: 'Majordomo', deny: ['SendMessages'] });
		await house.bus.publish(house.botLine('b1', 'mute'));
		await house.bus.publish(house.botLine('b2', 'still mute'));
		await eventually(() => undelivered.length === 2);
		const refused = (await sends()).filter((request) => request.status === 403);
		expect(refused).toHaveLength(1);
		expect(undelivered[0]).toEqual({ id: 'b1', code: 50_013 });
		const notice = await house.control.waitMessage({ channel: 'admin', contains: 'may not write', after: '0' });
		expect(notice.text).toContain(`<#${room}>`);
		expect(notice.text).toContain('Send Messages');
		await house.control.channelPermissions({ channel: 'room', target: 'Majordomo' });
		await eventually(async () => {
			await house.bus.publish(house.botLine(`b-${Math.random()}`, 'back'));
			return (await texts()).includes('back');
		});
	});

	test.each([
		['locked', 160_005],
		['archived and locked', 50_083],
	])('D08 a thread that is %s takes no retry and no further line until it is opened', async (_how, code) => {
		await open();
		const thread = await house.control.thread({ as: 'alex', channel: 'room', name: 'talk' });
		await house.control.restFault({
			kind: 'error',
			method: 'POST',
			path: `/channels/${thread.id}/messages`,
			status: code === 50_083 ? 400 : 403,
			code,
			message: 'no',
			times: 1,
		});
		const place = { room: `discord:${thread.id}` };
		await house.bus.publish(house.botLine('t1', 'one', place));
		await house.bus.publish(house.botLine('t2', 'two', place));
		await eventually(() => undelivered.length === 2);
		expect(undelivered[0]).toEqual({ id: 't1', code });
		await house.control.threadState({ thread: thread.id, locked: false, archived: false });
		await eventually(async () => {
			await house.bus.publish(house.botLine(`t-${Math.random()}`, 'three', place));
			return (await texts(thread.id)).includes('three');
		});
	});

	test('D08 a deleted channel is permanent and named to the operator', async () => {
		await open();
		await house.control.deleteChannel({ channel: 'room' });
		await house.bus.publish(house.botLine('b1', 'anyone?'));
		await eventually(() => undelivered.length === 1);
		await house.control.waitMessage({ channel: 'admin', contains: 'does not exist any more', after: '0' });
	});

	test('OPS-12 typing shows while a source works and stops with its line', async () => {
		await open();
		await house.bus.typing({ room: 'lab', source: 'overseer', until: Date.now() + 60_000 });
		await house.control.waitTyping({ channel: 'room', who: 'Majordomo' });
		await house.bus.publish(house.botLine('b1', 'done'));
		await house.control.waitMessage({ channel: 'room', contains: 'done', after: '0' });
		await eventually(async () => Object.keys((await house.control.state({})).typing).length === 0);
	});
});
