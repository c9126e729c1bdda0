import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '../../support/redis.ts';
import { openWatchedRoom, ROOM, type WatchedRoom } from '../../support/watched-room.ts';

let room: WatchedRoom;

beforeAll(async () => {
	room = await openWatchedRoom({
		change: ({ overseer }) => {
			overseer.gate.debounceMs = 100;
			overseer.panel.minEditMs = 1_000;
		},
	});
});
beforeEach(() => room.fresh());
afterAll(() => room.stop());

const discord = () => room.house.discord.control;
const WAIT = { until: 'complete', timeoutMs: 10_000 } as const;
const run = (line: string, options: Record<string, string | number> = {}, as = 'alex') =>
	discord().command({ as, channel: as === 'alex' ? 'admin' : 'room', command: line, options, ...WAIT });
const shelf = () => room.house.home.control.world().entities['light.shelf']?.state;
const DARKEN = {
	mode: 'ACTION+CHAT',
	chat: 'The shelf may sleep.',
	calls: [{ tool: 'ha_set_entity', args: { entity_id: 'shelf', state: 'off' } }],
};

async function livePanel() {
	return eventually('the live panel', async () =>
		(await discord().messages({ as: 'alex', channel: 'admin', author: 'Majordomo' })).find(
			({ controls, ephemeral }) => controls.length > 0 && !ephemeral,
		),
	);
}

const press = async (button: string) =>
	discord().button({ as: 'alex', message: (await livePanel()).id, button, ...WAIT });

/** Text of a file that the bot uploaded. */
async function fileText(url: string | undefined): Promise<string> {
	if (!url) throw new Error('there is no file');
	return (await fetch(url)).text();
}

test('OVR-31 the panel pauses and resumes, sets the stage, clears the context and hands out the exact prompt', async () => {
	await room.answer(await room.say('sam', 'overseer, is the bench lamp on?'));
	await room.idle();
	const sent = room.model.control.requests().at(-1)?.body as { messages: unknown };

	const withFile = await press('Last prompt');
	const file = [withFile.message, ...withFile.followUps].flatMap((message) => message?.attachments ?? [])[0];
	expect(file?.name).toBe('workshop-prompt.txt');
	expect(withFile.ephemeral).toBe(true);
	expect(JSON.parse(await fileText(file?.url))).toEqual(sent.messages);

	await press('Pause everything');
	expect((await room.stores.site.read()).paused).toBe(true);
	await eventually('the panel offers to resume', async () =>
		(await livePanel()).controls.some(({ label }) => label === 'Resume'),
	);
	room.model.control.reset();
	await room.say('sam', 'overseer, still there?');
	await new Promise((resolve) => setTimeout(resolve, 2_500));
	expect(room.model.control.requests()).toEqual([]);
	await press('Resume');
	expect((await room.stores.site.read()).paused).toBe(false);

	await discord().select({ as: 'alex', message: (await livePanel()).id, select: 'Stage', values: ['chat'], ...WAIT });
	expect(await room.stores.overrides.read(ROOM)).toMatchObject({ stage: 'chat' });
	await run('overseer stage', { value: 'full' });

	await press('Clear context');
	room.model.control.reset();
	await room.answer(await room.say('alex', 'overseer, what was said before?'));
	expect(room.prompt(1)).not.toContain('is the bench lamp on');
});

test('OVR-31 people without the right press in vain', async () => {
	const panel = await livePanel();
	await expect(
		discord().button({ as: 'sam', message: panel.id, button: 'Pause everything', ...WAIT }),
	).rejects.toThrow();
	expect((await run('overseer panel', {}, 'sam')).message?.allText).toContain('You may not do that');
	expect((await run('overseer why', {}, 'sam')).message?.allText).toContain('You may not do that');
	expect((await room.stores.site.read()).paused).toBe(false);
});

test('OVR-25 /overseer audit shows what was tried and exports it as JSON lines', async () => {
	room.house.home.control.act({ domain: 'light', service: 'turn_on', entityId: 'light.shelf' });
	await new Promise((resolve) => setTimeout(resolve, 200));
	await room.answer(await room.say('sam', 'overseer, turn the shelf lamp off'));
	await run('admin lights-lock', { value: 'on' });
	room.think({ ...DARKEN, calls: [{ tool: 'ha_set_entity', args: { entity_id: 'bench', state: 'off' } }] });
	await room.answer(await room.say('sam', 'overseer, bench lamp off'));
	await room.idle();

	const shown = await run('overseer audit', { count: 50 });
	expect(shown.message?.allText).toMatch(/ha_set_entity.*confirmed/);
	expect(shown.message?.allText).toMatch(/ha_set_entity.*blocked.*lights_locked_on/);
	const file = shown.message?.attachments[0];
	expect(file?.name).toBe('workshop-audit.jsonl');
	const rows = (await fileText(file?.url))
		.trim()
		.split('\n')
		.map((row) => JSON.parse(row) as Record<string, unknown>);
	const confirmed = rows.find(({ tool, step }) => tool === 'ha_set_entity' && step === 'confirmed');
	expect(confirmed).toMatchObject({
		room: ROOM,
		trigger: 'direct_address',
		args: { entity_id: 'light.shelf', state: 'off' },
		contextId: expect.any(String),
		durationMs: expect.any(Number),
		cause: expect.any(String),
	});
	const wire = room.house.home.control.calls().find(({ contextId }) => contextId === confirmed?.['contextId']);
	expect(wire?.entityIds).toEqual(['light.shelf']);
	expect(rows.map(({ at }) => Number(at))).toEqual([...rows].map(({ at }) => Number(at)).sort((a, b) => b - a));
});

test('OVR-27 stage observe: decides and logs, executes and says nothing; /overseer why tells what would have been', async () => {
	await run('overseer stage', { value: 'observe' });
	room.house.home.control.act({ domain: 'light', service: 'turn_on', entityId: 'light.shelf' });
	await new Promise((resolve) => setTimeout(resolve, 200));
	const lines = (await room.botLines()).length;
	room.think(DARKEN);
	await room.say('sam', 'overseer, shelf lamp off');
	await room.row({ tool: 'ha_set_entity', step: 'dry_run' });
	await room.row({ tool: 'chat_say', step: 'dry_run' });
	await room.idle();
	expect(shelf()).toBe('on');
	expect(room.calls().some((call) => call.startsWith('turn_off'))).toBe(false);
	expect(await room.botLines()).toHaveLength(lines);

	const why = (await run('overseer why')).message?.allText ?? '';
	expect(why).toMatch(/Why, in Workshop/);
	expect(why).toMatch(/What woke me[\s\S]*direct_address[\s\S]*Sam/i);
	expect(why).toMatch(/Evidence[\s\S]*addressed by name/);
	expect(why).toMatch(/What I chose[\s\S]*ACTION\+CHAT/);
	expect(why).toMatch(/would have happened/);
	expect(why).toMatch(/ha_set_entity.*dry_run/);
});

test('OVR-27 OVR-12 stage chat: speech, notes and a beep, nothing that moves; /overseer why says what was blocked', async () => {
	await run('overseer stage', { value: 'chat' });
	room.house.home.control.act({ domain: 'light', service: 'turn_on', entityId: 'light.shelf' });
	await new Promise((resolve) => setTimeout(resolve, 200));
	room.think(DARKEN);
	const answer = await room.answer(await room.say('sam', 'overseer, shelf lamp off'));
	expect(answer.text).not.toContain('may sleep');
	await room.idle();
	expect(shelf()).toBe('on');
	const why = (await run('overseer why')).message?.allText ?? '';
	expect(why).toMatch(/What was not available[\s\S]*lift_up.*stage/);
	expect(why).toMatch(/ha_set_entity.*blocked.*stage/);
	room.model.control.reset();
	await room.answer(await room.say('sam', 'overseer, locate the vacuum'), { timeoutMs: 30_000 });
	expect(room.calls()).toContain('locate vacuum.neato');
});

test('OVR-27 OVR-6 stage off: nobody is asked, nothing is said; full again: it acts', async () => {
	await run('overseer stage', { value: 'off' });
	const lines = (await room.botLines()).length;
	room.model.control.reset();
	await room.say('sam', 'overseer, shelf lamp off');
	room.house.home.control.poke({ kind: 'bump', rover: 'rover1' });
	await new Promise((resolve) => setTimeout(resolve, 3_000));
	expect(room.model.control.requests()).toEqual([]);
	expect(await room.botLines()).toHaveLength(lines);
	await run('overseer stage', { value: 'full' });
	room.house.home.control.act({ domain: 'light', service: 'turn_on', entityId: 'light.shelf' });
	await new Promise((resolve) => setTimeout(resolve, 200));
	await room.answer(await room.say('sam', 'overseer, turn the shelf lamp off'));
	expect(shelf()).toBe('off');
});
