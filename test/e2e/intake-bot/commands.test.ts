import { afterEach, describe, expect, test } from 'vitest';
import { eventually } from '../../support/fakes/eventually.ts';
import { type IntakeRig, openIntakeRig, WISH } from './rig.ts';
import type { Walk } from './walk.ts';

let rig: IntakeRig;
let walk: Walk;
const begin = async (...options: Parameters<typeof openIntakeRig>) => {
	rig = await openIntakeRig(...options);
	walk = await rig.begin();
	return walk.card('Questions 1 of at most 3');
};
afterEach(() => rig.close());

const run = (command: string, as = 'alex', options: Record<string, string> = {}, channel = walk.threadId) =>
	rig.control.command({ as, channel, command: `intake ${command}`, options, until: 'complete', timeoutMs: 10_000 });

describe('commands of the intake', () => {
	test('INT-19 status shows how it stands and how long it is stored, in its thread and elsewhere', async () => {
		await begin();
		const here = await run('status');
		expect(here.message?.onlyFor).toBe('alex');
		expect(here.message?.allText).toMatch(/waiting for an answer[\s\S]*closes after 7 days without an answer/);
		expect((await run('status', 'alex', {}, 'room')).message?.allText).toContain(rig.intake.only().id);
		expect((await run('status', 'sam', { id: rig.intake.only().id }, 'room')).message?.allText).toContain('not yours');
		expect((await run('status', 'alex', { id: 'nonsense' }, 'room')).message?.allText).toContain('no such intake');
	});

	test('INT-19 an invitation says when it comes too late or again, and lets nobody in then', async () => {
		await begin();
		const { id: sam } = (await rig.control.state({ as: 'alex' })).people.find(
			({ name }) => name.toLowerCase() === 'sam',
		) ?? {
			id: '',
		};
		const invite = async () => (await run('invite', 'alex', { person: sam })).message?.allText;
		expect(await invite()).toContain('may answer here too');
		await eventually(() => rig.intake.only().coOwnerIds.includes(sam));
		expect(await invite()).toContain('may answer here already');
		await run('cancel');
		await walk.card('Cancelled');
		expect(await invite()).toMatch(/handed over \(cancelled\).+Nobody was let in/);
		expect(rig.intake.only().coOwnerIds).toEqual([sam]);
	});

	test('INT-19 list shows one’s own only; ids are suggested at once from what is known', async () => {
		await begin();
		expect((await run('list')).message?.allText).toContain(
			`\`${rig.intake.only().id}\` waiting for an answer, question set 1`,
		);
		expect((await run('list', 'sam', {}, 'room')).message?.allText).toContain('You have no intake');
		rig.intake.setAway('redis');
		const { choices } = await rig.control.autocomplete({
			as: 'alex',
			channel: 'room',
			command: 'intake status',
			options: { id: '' },
			focused: 'id',
		});
		expect(choices?.map(({ value }) => value)).toEqual([rig.intake.only().id]);
	});

	test('INT-19 cancel by its owner or by an operator, and nobody else; nothing is handed over', async () => {
		await begin();
		expect((await run('cancel', 'sam', { id: rig.intake.only().id }, 'room')).message?.allText).toContain('not yours');
		expect((await run('cancel')).message?.text).toContain('cancelled');
		await walk.card('Cancelled');
		expect(rig.intake.only().cancelReason).toBe('discarded');
		expect((await run('cancel')).message?.text).toContain('already over');
		const other = await rig.begin('A diary for bees', 'sam');
		await run('cancel', 'alex', { id: [...rig.intake.sessions.keys()][1] ?? '' }, 'room');
		await eventually(() => [...rig.intake.sessions.values()][1]?.cancelReason === 'operator');
		expect(other.threadId).not.toBe(walk.threadId);
		expect(rig.intake.packets).toEqual([]);
	});

	test('INT-19 INT-23 export gives everything to its owner only; delete leaves nothing', async () => {
		await begin();
		const exported = await run('export');
		const [file] = exported.message?.attachments ?? [];
		const content = await (await fetch(file?.url ?? '')).json();
		expect(content).toMatchObject({ session: { originalIntent: WISH } });
		const id = rig.intake.only().id;
		expect((await run('export', 'sam', { id }, 'room')).message?.attachments).toEqual([]);
		expect((await run('delete', 'sam', { id }, 'room')).message?.allText).toContain('not yours');
		expect((await run('delete')).message?.text).toContain('Deleted');
		expect(rig.intake.sessions.size).toBe(0);
		expect((await run('status', 'alex', { id }, 'room')).message?.allText).toContain('no such intake');
	});

	test('INT-19 INT-23 keep needs the operators’ leave', async () => {
		await begin();
		expect((await run('keep')).message?.allText).toContain('not allowed here');
		const { intake } = rig.house.settings();
		rig.house.change({ intake: { ...intake, retention: { ...intake.retention, allowKeep: true } } });
		expect((await run('keep')).message?.text).toMatch(/kept until <t:\d+:f>/);
		expect((await run('status')).message?.allText).toMatch(/deleted <t:\d+:R>/);
	});

	test('INT-19 INT-24 the audit is for admins and holds no conversation', async () => {
		await begin();
		await walk.press(await walk.card('Questions 1 of'), 'Skip round');
		await walk.press(await walk.card('Questions 2 of'), 'Finish now');
		await walk.card('Your requirements');
		const id = rig.intake.only().id;
		expect((await run('audit', 'sam', { id }, 'room')).message?.allText).toContain('may not');
		const shown = await run('audit', 'alex', { id }, 'room');
		expect(shown.message?.allText).toContain('finalized');
		const [file] = shown.message?.attachments ?? [];
		expect(await (await fetch(file?.url ?? '')).text()).not.toContain('rains');
	});

	test('INT-26 E07 after the end a message is answered once, a button honestly', async () => {
		const card = await begin();
		await run('cancel');
		await walk.card('Cancelled');
		await walk.say('one more thing');
		const told = await walk.card('E07');
		expect(told.allText).toContain('Start a new intake');
		await walk.say('thanks');
		await new Promise((resolve) => setTimeout(resolve, 400));
		expect((await walk.cards()).filter(({ allText }) => allText.includes('E07'))).toHaveLength(1);
		await eventually(async () => {
			const { controls } = await rig.control.messageById({ as: 'alex', message: card.id });
			return controls.length === 0;
		});
	});

	test('D10 a button acknowledged too late does nothing and breaks nothing; the form says so in the log', async () => {
		const card = await begin();
		const fault = { kind: 'error' as const, method: 'POST', path: '/interactions/**', status: 404, code: 10_062 };
		await rig.control.restFault({ ...fault, message: 'Unknown interaction', times: 1 });
		await rig.control.button({ as: 'alex', message: card.id, button: 'Skip round', until: 'sent' });
		await eventually(() => rig.house.log.lines.some(({ message }) => message.includes('could not be acknowledged')));
		await rig.control.restFault({ ...fault, message: 'Unknown interaction', times: 1 });
		await rig.control.button({ as: 'alex', message: card.id, button: 'Answer', until: 'sent' });
		await eventually(() => rig.house.log.lines.some(({ message }) => message.includes('form could not be opened')));
		expect(rig.intake.only().roundCount).toBe(1);
		await walk.press(card, 'Skip round');
		await walk.card('Questions 2 of at most 3');
	});
});
