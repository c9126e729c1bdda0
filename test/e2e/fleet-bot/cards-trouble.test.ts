import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { FleetPorts } from '../../../bot/fleet/fleet-ports.ts';
import { eventually } from '../../support/fakes/eventually.ts';
import { startTestRedis, type TestRedis } from '../../support/redis.ts';
import { type CardRig, type CardRigOptions, openCardRig, SCHEMA } from './card-rig.ts';

let redis: TestRedis;
let rig: CardRig;
beforeAll(async () => {
	redis = await startTestRedis();
});
afterAll(() => redis.stop());
afterEach(() => rig.close());
const open = async (options?: CardRigOptions) => {
	rig = await openCardRig(redis, options);
};

/** The store fails when the first card is noted down, as if the process had ended right after posting it. */
function forgetful(): { ports(ports: FleetPorts): FleetPorts; failures(): number } {
	let failures = 0;
	return {
		failures: () => failures,
		ports: (ports) => ({
			...ports,
			places: {
				...ports.places,
				async writeCard(card) {
					if (failures > 0) return ports.places.writeCard(card);
					failures += 1;
					throw new Error('the process ended here');
				},
			},
		}),
	};
}

describe('cards when something goes wrong', () => {
	test('FLT-13 D11 a card whose answer from Discord was lost is not posted twice', async () => {
		await open();
		const channelId = rig.settings.channelId ?? '';
		await rig.post('concierge · ');
		const path = `/channels/${channelId}/messages`;
		await rig.control.restFault({ method: 'POST', path, kind: 'drop', afterEffect: true, times: 1 });
		await rig.ask('dropped', SCHEMA);
		await rig.card('dropped asks');
		await eventually(async () => (await rig.bench.stores.places.cards(10)).length === 1);
		expect(await rig.cards('dropped asks')).toHaveLength(1);
	});

	test('FLT-13 a card that was posted and not noted down is found again, also when Discord forgot its nonce', async () => {
		let aheadMs = 0;
		const process = forgetful();
		await open({ ports: process.ports, house: { deps: { clock: { now: () => Date.now() + aheadMs } } } });
		const asked = await rig.ask('orphan', SCHEMA);
		const card = await rig.card('orphan asks');
		await eventually(() => process.failures() === 1);
		// Ten minutes later, here and there.
		await rig.control.clock({ advanceMs: 600_000 });
		aheadMs = 600_000;
		await eventually(async () => (await rig.bench.stores.places.card(asked.questionId))?.messageId === card.id);
		expect(await rig.cards('orphan asks')).toHaveLength(1);
		await rig.press(card, 'v1 (keep)');
		expect((await rig.card('orphan asks', 'answered')).id).toBe(card.id);
	});

	test('FLT-13 without the right to post the operators are told once, and everything is shown when it is given', async () => {
		await open();
		await rig.post('concierge · ');
		const rights = { channel: 'fleet', target: 'Majordomo' };
		await rig.control.channelPermissions({ ...rights, deny: ['SendMessages'] });
		await rig.ask('silenced', SCHEMA);
		const warning = await rig.control.waitMessage({ channel: 'admin', after: '0', contains: 'cannot be shown in' });
		expect(warning.text).toContain('Send Messages');
		await rig.bench.stores.outbox.add({
			id: 'n1',
			at: Date.now(),
			kind: 'notice',
			text: 'kept for later',
			mention: [],
		});
		expect(await rig.cards('silenced asks')).toHaveLength(0);
		await rig.control.channelPermissions({ ...rights, deny: [] });
		expect((await rig.card('silenced asks')).pings).toEqual(['alex']);
		await rig.post('kept for later');
		const warnings = await rig.control.messages({ channel: 'admin', contains: 'cannot be shown in' });
		expect(warnings).toHaveLength(1);
	});

	test('FLT-13 one card that Discord does not take holds up no other', async () => {
		await open();
		await rig.post('concierge · ');
		const path = `/channels/${rig.settings.channelId}/messages`;
		await rig.control.restFault({ method: 'POST', path, kind: 'error', status: 400, code: 50_035, times: 1 });
		await rig.ask('unfit', SCHEMA);
		await rig.ask('fit', SCHEMA);
		await rig.card('fit asks');
		await rig.post('needs you: unfit asks');
	});

	test('FLT-13 D10 a form that the store is too slow for says so within Discord’s time, and pressing again helps', async () => {
		let isStuck = false;
		const stuck = () => new Promise<never>(() => undefined);
		await open({
			ports: (ports) => ({
				...ports,
				questions: { ...ports.questions, read: (id) => (isStuck ? stuck() : ports.questions.read(id)) },
			}),
		});
		await rig.ask('slowly', { kind: 'text', text: 'What now?' });
		const card = await rig.card('slowly asks');
		isStuck = true;
		const refused = await rig.control.button({ as: 'alex', message: card.id, button: 'Reply…' });
		expect(refused.modal).toBeNull();
		expect(refused.message?.text).toContain('The store does not answer. Nothing was sent');
		expect(refused.message?.onlyFor).toBe('alex');
		isStuck = false;
		const opened = await rig.control.button({ as: 'alex', message: card.id, button: 'Reply…' });
		expect(opened.modal).not.toBeNull();
	});

	test('FLT-13 D08 when the fleet moves to another channel and the old one goes, open cards are posted there, and nobody is warned', async () => {
		await open();
		const asked = await rig.ask('moved', SCHEMA);
		await rig.card('moved asks');
		await rig.stopBot();
		const { id } = await rig.control.createChannel({ name: 'fleet-two', category: 'House' });
		await rig.control.deleteChannel({ channel: 'fleet' });
		rig.house.change({ fleet: { ...rig.settings, channelId: id } });
		await rig.startBot();
		const there = await eventually(async () => {
			const posts = await rig.control.messages({ channel: id, author: 'Majordomo' });
			const found = posts.find(({ allText }) => allText.includes('moved asks'));
			if (found === undefined) throw new Error('no card there yet');
			return found;
		}, 20_000);
		expect(there.pings).toEqual([]);
		const pressed = await rig.press(there, 'v2 (migrate)');
		expect(pressed.message?.text).toContain('On its way');
		expect((await rig.question(asked)).state).toBe('answered');
		const warned = await rig.control.messages({ channel: 'admin', author: 'Majordomo' });
		expect(warned.filter(({ allText }) => allText.includes('cannot be shown'))).toEqual([]);
	});

	test('FLT-15 FLT-13 "Open thread" leads to the session’s thread, made when there is none', async () => {
		await open();
		await rig.ask('threaded', SCHEMA);
		const card = await rig.card('threaded asks');
		const pressed = await rig.press(card, 'Open thread', 'casey');
		const threadId = /<#(\d+)>/.exec(pressed.message?.text ?? '')?.[1];
		const { channels } = await rig.control.state({});
		expect(channels.find(({ id }) => id === threadId)).toMatchObject({ name: 'threaded' });
		const again = await rig.press(card, 'Open thread');
		expect(again.message?.text).toContain(`<#${threadId}>`);
	});
});
