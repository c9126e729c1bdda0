import { REST, Routes } from 'discord.js';
import { afterEach, describe, expect, test } from 'vitest';
import { eventually } from '../../support/fakes/eventually.ts';
import { type IntakeRig, openIntakeRig, WISH } from './rig.ts';
import { linkedThread, walkIn } from './walk.ts';

let rig: IntakeRig;
const open = async (...options: Parameters<typeof openIntakeRig>) => {
	rig = await openIntakeRig(...options);
	return rig;
};
afterEach(() => rig.close());

const threadsOf = async (as: string) =>
	(await rig.control.state({ as })).channels.filter(({ kind }) => kind.endsWith('thread'));

describe('starting an intake', () => {
	test('INT-16 a command with the wish opens a private thread named after it, with its cards', async () => {
		await open();
		const walk = await rig.begin();
		const card = await walk.card('Questions 1 of at most 3');
		const [thread] = await threadsOf('alex');
		expect(thread).toMatchObject({ kind: 'private-thread', name: 'I want a shop for mugs. It rains today.' });
		expect(await threadsOf('sam')).toEqual([]);
		expect(card.controls.map(({ label }) => label)).toEqual(['Answer', 'Skip round']);
		const progress = await walk.card('Whose turn');
		expect(progress.allText).toContain('set 1 of at most 3');
		expect(progress.allText).toMatch(/◔ Functional scope: asked[\s\S]*○ Data model: open/);
		expect(rig.intake.only()).toMatchObject({ originalIntent: WISH, review: true, language: 'en' });
	});

	test('INT-16 a wish of a letter or two opens nothing, and says why', async () => {
		await open();
		for (const intent of ['x', '!?', 'ok.']) {
			const options = { intent };
			const command = { as: 'alex', channel: 'intake', command: 'intake start', options, until: 'complete' as const };
			expect((await rig.control.command(command)).message?.allText, intent).toContain('too short');
		}
		expect(rig.intake.sessions.size).toBe(0);
		expect(await threadsOf('alex')).toEqual([]);
	});

	test('INT-16 a bare command asks for the wish in a form, as its very first answer (D10)', async () => {
		await open();
		const asked = await rig.control.command({ as: 'alex', channel: 'intake', command: 'intake start' });
		expect(asked.state).toBe('modal');
		const sent = await rig.control.modal({
			as: 'alex',
			interaction: asked.id,
			fields: { free: WISH },
			until: 'complete',
			timeoutMs: 10_000,
		});
		expect(sent.message?.onlyFor).toBe('alex');
		const walk = walkIn(rig.control, linkedThread(sent.message?.text ?? ''));
		await walk.card('Questions 1 of at most 3');
		expect(rig.intake.only().originalIntent).toBe(WISH);
	});

	test('INT-16 the menu of a message starts one with its words; a message without any is refused in words', async () => {
		await open({ only: false });
		const message = await rig.control.message({ as: 'sam', channel: 'room', text: 'A diary for my bees' });
		const started = await rig.control.messageCommand({
			as: 'alex',
			message: message.id,
			command: 'Start an intake',
			until: 'complete',
			timeoutMs: 10_000,
		});
		const walk = walkIn(rig.control, linkedThread(started.message?.text ?? ''));
		await walk.card('A diary for my bees');
		expect(rig.intake.only().requesterId).toBe(rig.house.discord.people['alex']);
		const picture = await rig.control.message({
			as: 'sam',
			channel: 'room',
			attachments: [{ name: 'bee.png', base64: 'aGk=', contentType: 'image/png' }],
		});
		const refused = await rig.control.messageCommand({
			as: 'alex',
			message: picture.id,
			command: 'Start an intake',
			until: 'complete',
			timeoutMs: 10_000,
		});
		expect(refused.message?.allText).toContain('no text');
		expect(rig.intake.sessions.size).toBe(1);
	});

	test('INT-16 in an intake-only channel a plain message is a wish, once however often it is delivered (D11)', async () => {
		await open();
		await rig.secondBot();
		const wish = await rig.control.message({ as: 'alex', channel: 'intake', text: WISH });
		const answer = await rig.control.waitMessage({
			as: 'alex',
			channel: 'intake',
			after: wish.id,
			author: 'Majordomo',
		});
		const walk = walkIn(rig.control, linkedThread(answer.allText));
		await walk.card('Questions 1 of at most 3');
		await rig.control.gateway({ action: 'drop' });
		await rig.control.waitBot({ bot: 'Majordomo', online: true });
		await rig.restart();
		expect(rig.intake.sessions.size).toBe(1);
		expect(await threadsOf('alex')).toHaveLength(1);
		expect(await rig.control.messages({ as: 'alex', channel: 'intake', author: 'Majordomo' })).toHaveLength(1);
	});

	test('INT-16 D04 in another intake channel only a mention starts one, and never a bot', async () => {
		await open({
			only: false,
			house: { discord: { bots: [{ name: 'Majordomo' }, { name: 'Other' }] } },
		});
		const channelId = rig.house.discord.channels['intake'] ?? '';
		const selfId = rig.house.discord.bots['Majordomo']?.applicationId ?? '';
		const otherToken = rig.house.discord.bots['Other']?.token ?? '';
		const other = new REST({ api: rig.house.discord.restUrl, version: '10' }).setToken(otherToken);
		await other.post(Routes.channelMessages(channelId), {
			body: { content: `<@${selfId}> The model returned nothing.` },
		});
		await rig.control.message({ as: 'alex', channel: 'intake', text: 'just talking' });
		const mention = await rig.control.message({ as: 'alex', channel: 'intake', text: `@Majordomo ${WISH}` });
		await rig.control.waitMessage({ as: 'alex', channel: 'intake', after: mention.id, author: 'Majordomo' });
		expect([...rig.intake.sessions.values()].map(({ originalIntent }) => originalIntent)).toEqual([WISH]);
	});

	test('INT-16 without the right to private threads it opens a public one and says so', async () => {
		await open({
			house: {
				permissions: [
					'ViewChannel',
					'SendMessages',
					'SendMessagesInThreads',
					'CreatePublicThreads',
					'EmbedLinks',
					'AttachFiles',
					'ReadMessageHistory',
				],
			},
		});
		await rig.control.rolePermissions({
			role: '@everyone',
			permissions: ['ViewChannel', 'SendMessages', 'UseApplicationCommands', 'ReadMessageHistory'],
		});
		const started = await rig.control.command({
			as: 'alex',
			channel: 'intake',
			command: 'intake start',
			options: { intent: WISH },
			until: 'complete',
			timeoutMs: 10_000,
		});
		expect(started.message?.text).toContain('everybody who sees this channel can read it');
		expect((await threadsOf('alex'))[0]?.kind).toBe('public-thread');
	});

	test('INT-16 D08 without any right to threads nothing is stored and the missing rights are named', async () => {
		await open({ house: { permissions: ['ViewChannel', 'SendMessages', 'ReadMessageHistory', 'EmbedLinks'] } });
		await rig.control.rolePermissions({
			role: '@everyone',
			permissions: ['ViewChannel', 'SendMessages', 'UseApplicationCommands', 'ReadMessageHistory'],
		});
		const started = await rig.control.command({
			as: 'alex',
			channel: 'intake',
			command: 'intake start',
			options: { intent: WISH },
			until: 'complete',
			timeoutMs: 10_000,
		});
		expect(started.message?.text).toMatch(/could not open a thread.*50013.*Create Private Threads/s);
		expect(rig.intake.sessions.size).toBe(0);
	});

	test('INT-14 with the store away nothing is left behind, and the words come back with code and reason', async () => {
		await open();
		rig.intake.setAway('redis');
		const started = await rig.control.command({
			as: 'alex',
			channel: 'intake',
			command: 'intake start',
			options: { intent: WISH },
			until: 'complete',
			timeoutMs: 10_000,
		});
		expect(started.message?.embeds[0]?.footer?.text).toBe('assistant_unavailable · reason=redis · kept=false');
		expect(started.message?.text).toContain(WISH);
		expect(await threadsOf('alex')).toEqual([]);
		rig.intake.setAway('worker');
		const kept = await rig.control.command({
			as: 'alex',
			channel: 'intake',
			command: 'intake start',
			options: { intent: WISH },
			until: 'complete',
			timeoutMs: 10_000,
		});
		expect(kept.message?.embeds[0]?.footer?.text).toBe('assistant_unavailable · reason=worker · kept=true');
		const walk = walkIn(rig.control, linkedThread(kept.message?.text ?? ''));
		await walk.card('Questions 1 of at most 3');
	});

	test('INT-19 a wish that could not be stored is read again from the channel when the store is back', async () => {
		await open();
		rig.intake.setAway('redis');
		const wish = await rig.control.message({ as: 'alex', channel: 'intake', text: WISH });
		const told = await rig.control.waitMessage({ as: 'alex', channel: 'intake', after: wish.id, author: 'Majordomo' });
		expect(told.allText).toContain('assistant_unavailable');
		rig.intake.setAway(undefined);
		await eventually(() => rig.intake.sessions.size === 1);
		expect(rig.intake.only().originalIntent).toBe(WISH);
	});
});
