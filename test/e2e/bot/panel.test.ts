import { afterEach, describe, expect, test } from 'vitest';
import { type BotHouse, type BotHouseOptions, createBotHouse } from '../../support/bot-house.ts';
import { eventually } from '../../support/fakes/eventually.ts';

let house: BotHouse;
const open = async (options: BotHouseOptions = {}) => {
	house = await createBotHouse(options);
	return house;
};
afterEach(() => house.close());

const panels = async () => (await house.posted('admin')).filter((message) => message.controls.length > 0);
const panel = async () => {
	const [first, ...others] = await panels();
	expect(others).toEqual([]);
	if (first === undefined) throw new Error('no panel yet');
	return first;
};
const edits = () => house.control.requests({ route: 'PATCH /channels/:id/messages/:id' });

describe('panel', () => {
	test('OVR-31 one message in the admin channel is edited in place, not oftener than allowed, only when it changed', async () => {
		await open();
		await house.status.write('lab', house.status0());
		await house.newBot().start();
		const first = await eventually(panel);
		for (let index = 0; index < 20; index += 1) {
			await house.status.write('lab', house.status0({ phase: index % 2 ? 'idle' : 'gate_check' }));
			await new Promise((resolve) => setTimeout(resolve, 100));
		}
		await house.status.write(
			'lab',
			house.status0({
				phase: 'awaiting_model',
				lastTrigger: { at: 1, trigger: 'direct_address', note: 'alex said the name' },
			}),
		);
		await eventually(async () => (await panel()).allText.includes('awaiting_model'));
		const last = await panel();
		expect(last.id).toBe(first.id);
		expect(last.allText).toContain('alex said the name');
		const times = (await edits()).map((request) => request.atMs);
		expect(times.length).toBeLessThanOrEqual(5);
		for (const [index, at] of times.entries()) if (index > 0) expect(at - (times[index - 1] ?? 0)).toBeGreaterThan(900);
		const before = (await edits()).length;
		await house.status.write('lab', {
			...house.status0({
				phase: 'awaiting_model',
				lastTrigger: { at: 1, trigger: 'direct_address', note: 'alex said the name' },
			}),
		});
		await new Promise((resolve) => setTimeout(resolve, 1_500));
		expect((await edits()).length).toBe(before);
	});

	test('OVR-31 the panel survives a restart and is posted anew when somebody deleted it', async () => {
		await open();
		await house.status.write('lab', house.status0());
		const first = house.newBot();
		await first.start();
		const before = await eventually(panel);
		await first.stop();
		await house.newBot().start();
		await house.status.write('lab', house.status0({ phase: 'tool_exec' }));
		await eventually(async () => (await panel()).allText.includes('tool_exec'));
		expect((await panel()).id).toBe(before.id);
		await house.control.delete({ as: 'alex', message: before.id });
		const after = await eventually(panel);
		expect(after.id).not.toBe(before.id);
		await house.status.write('lab', house.status0({ phase: 'posted' }));
		await eventually(async () => (await panel()).allText.includes('posted'));
		expect((await panel()).id).toBe(after.id);
	});

	test('OVR-31 buttons pause, go on, set the stage and clear the context; who may not is refused', async () => {
		await open();
		await house.status.write('lab', house.status0());
		await house.newBot().start();
		const { id } = await eventually(panel);
		const press = (button: string) =>
			house.control.button({ as: 'alex', message: id, button, until: 'complete', timeoutMs: 10_000 });
		expect((await press('Pause everything')).message?.text).toContain('paused');
		expect((await house.site.read()).paused).toBe(true);
		await eventually(async () => (await panel()).controls.some((control) => control.label === 'Resume'));
		await press('Resume');
		expect((await house.site.read()).paused).toBe(false);
		await house.control.select({
			as: 'alex',
			message: id,
			select: 'v1:panel:stage:lab',
			values: ['observe'],
			until: 'complete',
			timeoutMs: 10_000,
		});
		expect(await house.overrides.read('lab')).toEqual({ stage: 'observe' });
		await press('Clear context');
		expect(house.resets).toHaveLength(1);
		await house.control.memberRoles({ who: 'alex', roles: [] });
		await house.control.channelPermissions({ channel: 'admin', target: 'alex', allow: ['ViewChannel'] });
		expect((await press('Clear context')).message?.text).toContain('may not');
		expect(house.resets).toHaveLength(1);
	});

	test('OVR-31 the exact last prompt comes as a file, for the asker only', async () => {
		await open({ deps: { lastPrompt: async () => 'system: you are…\nuser: STATE_UPDATE @everyone' } });
		await house.status.write('lab', house.status0());
		await house.newBot().start();
		const { id } = await eventually(panel);
		const { message } = await house.control.button({
			as: 'alex',
			message: id,
			button: 'Last prompt',
			until: 'complete',
			timeoutMs: 10_000,
		});
		expect(message?.onlyFor).toBe('alex');
		expect(message?.attachments[0]).toMatchObject({ name: 'lab-prompt.txt' });
		const file = await fetch(message?.attachments[0]?.url ?? '');
		expect(await file.text()).toBe('system: you are…\nuser: STATE_UPDATE @everyone');
	});

	test('OVR-31 a button of another version is answered, not left spinning', async () => {
		await open();
		await house.status.write('lab', house.status0());
		await house.newBot().start();
		const { id, controls } = await eventually(panel);
		const message = house.control;
		const found = controls.find((control) => control.label === 'Clear context');
		expect(found?.customId).toBe('v1:panel:clear:lab');
		house.change({ rooms: [] });
		const answer = await message.button({
			as: 'alex',
			message: id,
			button: 'Clear context',
			until: 'complete',
			timeoutMs: 10_000,
		});
		expect(answer.message?.text).toContain('No room is configured');
	});

	test('OVR-28 the panel follows what runs: overseer, commentary, disabled', async () => {
		await open();
		await house.status.write('lab', house.status0());
		await house.newBot().start();
		const { id } = await eventually(panel);
		const run = (command: string, value: string) =>
			house.control.command({
				as: 'alex',
				channel: 'admin',
				command,
				options: { value },
				until: 'complete',
				timeoutMs: 10_000,
			});
		await eventually(async () => (await panel()).allText.includes('Overseer in The lab'));
		await run('overseer runtime', 'commentary');
		await eventually(async () => (await panel()).allText.includes('commentary only'));
		await run('overseer runtime', 'off');
		await eventually(async () => (await panel()).allText.includes('is off in'));
		await run('overseer runtime', 'overseer');
		await eventually(async () => (await panel()).allText.includes('Overseer in The lab'));
		expect((await panel()).id).toBe(id);
	});

	test('OVR-29 the nickname and the panel follow the one name', async () => {
		await open();
		await house.status.write('lab', house.status0());
		await house.newBot().start();
		await eventually(panel);
		await eventually(async () => (await panel()).author.displayName === 'Overseer');
		house.change({ overseer: { ...house.settings().overseer, name: 'Vesper' } });
		await eventually(async () => (await panel()).author.displayName === 'Vesper');
		await house.status.write('lab', house.status0({ phase: 'posted' }));
		await eventually(async () => (await panel()).allText.includes('Vesper in The lab'));
	});

	test('OVR-29 without the right to change it the nickname is a notice, no more', async () => {
		await open({ permissions: ['ViewChannel', 'SendMessages', 'ReadMessageHistory', 'EmbedLinks', 'AttachFiles'] });
		await house.control.rolePermissions({ role: '@everyone', permissions: ['ViewChannel', 'SendMessages'] });
		await house.newBot().start();
		await house.control.waitMessage({ channel: 'admin', contains: 'Change Nickname', after: '0' });
		await house.control.message({ as: 'alex', channel: 'room', text: 'hello' });
		await eventually(() => house.heard().length === 1);
	});

	test('OPS-12 presence shows the truth', async () => {
		await open();
		await house.status.write('lab', house.status0());
		await house.newBot().start();
		const shown = async () => (await house.control.state({})).bots[0];
		await eventually(async () => (await shown())?.activity?.includes('full control') === true);
		await house.site.setMode('lockdown');
		await eventually(async () => (await shown())?.activity === 'lockdown' && (await shown())?.status === 'dnd');
		await house.site.setMode('open');
		await house.status.write(
			'lab',
			house.status0({ failures: 2, lastError: { at: Date.now(), code: 'unreachable', text: 'x' } }),
		);
		await eventually(async () => (await shown())?.activity === 'model offline');
	});
});
