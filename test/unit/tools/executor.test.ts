import { describe, expect, test } from 'vitest';
import type { SitePolicy } from '../../../core/overseer/site.ts';
import { createExecutor } from '../../../tools/executor.ts';
import { blockCodes, createHouse } from './support/house.ts';

const shelfOn = { entity_id: 'light.shelf', state: 'on' };

describe('executor', () => {
	test('OVR-18 OVR-19 OVR-25 a lamp is switched, confirmed by its state, and every step is a row', async () => {
		const house = createHouse();
		const outcome = await createExecutor(house.deps).execute(
			house.request('ha_set_entity', shelfOn, { cause: '123', trigger: 'direct_address', direct: true }),
		);
		expect(outcome).toEqual({ kind: 'confirmed', summary: 'shelf is on', contextId: 'ctx1' });
		expect(house.home.heard).toMatchObject([{ domain: 'light', service: 'turn_on', entityId: 'light.shelf' }]);
		expect(house.steps()).toEqual(['proposed', 'running', 'confirmed']);
		expect(house.audit.rows.at(-1)).toMatchObject({
			tool: 'ha_set_entity',
			trigger: 'direct_address',
			cause: '123',
			args: shelfOn,
			contextId: 'ctx1',
			decisionId: 'd1',
			durationMs: expect.any(Number),
		});
		expect(house.metrics.counts.get('overseer_actions_total{tool=ha_set_entity,outcome=confirmed}')).toBe(1);
	});

	test('OVR-3 the context of what we sent is remembered as ours', async () => {
		const house = createHouse();
		await createExecutor(house.deps).execute(house.request('ha_set_entity', shelfOn));
		expect(house.ownContexts).toEqual(['ctx1']);
	});

	test('OVR-19 H05 an ok without an effect is unconfirmed and never spoken of as done', async () => {
		const house = createHouse();
		house.home.inert.add('light.shelf');
		const outcome = await createExecutor(house.deps).execute(house.request('ha_set_entity', shelfOn));
		expect(outcome).toMatchObject({ kind: 'unconfirmed', summary: 'told shelf to be on, no effect seen' });
	});

	test('OVR-20 H04 an error of Home Assistant is failed with its code, and one unit of budget is gone', async () => {
		const house = createHouse();
		const message = 'extra keys not allowed';
		house.home.answer = () => ({
			result: { kind: 'rejected', code: 'service_validation_error', message },
			effect: false,
		});
		const outcome = await createExecutor(house.deps).execute(house.request('ha_set_entity', shelfOn));
		expect(outcome).toMatchObject({ kind: 'failed', code: 'service_validation_error' });
		expect((await house.deps.facts('den', false)).budget.minuteUsed).toBe(1);
	});

	test('OVR-19 H05 an entity that vanished after the decision is blocked with not_found', async () => {
		const house = createHouse();
		house.home.remove('light.bench');
		house.home.set('light.workbench', 'off');
		const outcome = await createExecutor(house.deps).execute(
			house.request('ha_set_entity', { entity_id: 'light.bench', state: 'on' }),
		);
		expect(outcome).toMatchObject({ kind: 'blocked', reasons: [{ code: 'unavailable', detail: 'not_found' }] });
		expect(house.home.heard).toEqual([]);
	});

	test('OVR-13 OVR-17 a tool that is not on the list is refused and written down', async () => {
		const house = createHouse();
		const outcome = await createExecutor(house.deps).execute(house.request('HassLightGet', { name: 'x\u0000' }));
		expect(outcome).toMatchObject({ kind: 'invalid', code: 'unknown_tool' });
		expect(house.steps()).toEqual(['proposed', 'invalid']);
		expect(house.audit.rows[0]).toMatchObject({ tool: 'unknown', args: expect.stringContaining('HassLightGet') });
		expect(JSON.stringify(house.audit.rows)).not.toContain('\u0000');
	});

	test('OVR-27 observe decides as if: dry run, booked like the real thing, nothing sent', async () => {
		const house = createHouse();
		house.rules.stage = 'observe';
		const executor = createExecutor(house.deps);
		expect(await executor.execute(house.request('lift_up'))).toMatchObject({ kind: 'dry_run' });
		expect(await executor.execute(house.request('chat_say', { text: 'hi' }))).toMatchObject({ kind: 'dry_run' });
		expect(await executor.execute(house.request('memory_write', { slot: 1, text: 'x' }))).toMatchObject({
			kind: 'dry_run',
		});
		const again = house.request('lift_up', {}, { call: { id: 'c-next', tool: 'lift_up', args: {} } });
		expect(blockCodes(await executor.execute(again))).toEqual(['cooldown']);
		expect(house.home.heard).toEqual([]);
		expect(house.said).toEqual([]);
		expect(await house.deps.memory.read('den')).toEqual(['', '', '']);
		expect(house.steps().filter((step) => step === 'running')).toEqual([]);
	});

	test('OVR-22 the cooldown starts at the attempt, also when the attempt fails', async () => {
		const house = createHouse();
		const executor = createExecutor(house.deps);
		house.home.inert.add('cover.lift');
		expect(await executor.execute(house.request('lift_up'))).toMatchObject({ kind: 'unconfirmed' });
		const next = house.request('lift_up', {}, { call: { id: 'c2', tool: 'lift_up', args: {} } });
		const outcome = await executor.execute(next);
		expect(blockCodes(outcome)).toEqual(['cooldown']);
		expect(outcome).toMatchObject({ reasons: [{ remainingMs: 17_000 }] });
	});

	test('OVR-22 speech to a person who asked does not wait for the cooldown, speech to nobody does', async () => {
		const house = createHouse();
		const executor = createExecutor(house.deps);
		const say = (id: string, direct: boolean) =>
			executor.execute(
				house.request('chat_say', { text: id }, { direct, call: { id, tool: 'chat_say', args: { text: id } } }),
			);
		expect(await say('one', false)).toMatchObject({ kind: 'confirmed' });
		expect(blockCodes(await say('two', false))).toEqual(['cooldown']);
		expect(await say('three', true)).toMatchObject({ kind: 'confirmed' });
		expect(house.said).toEqual(['one', 'three']);
	});

	test('OVR-24 OPS-15 a line that a dead process left half said holds up no other', async () => {
		const house = createHouse();
		await house.ledger.attempt({
			roomId: house.room.id,
			family: 'chat',
			callId: 'of a dead process',
			now: house.time.now(),
			cooldownMs: 0,
			ignoreCooldown: true,
			spend: false,
			limits: { perMinute: 6, perHour: 60 },
			runningUntil: house.time.now() + 60_000,
		});
		const answer = house.request('chat_say', { text: 'Still here.' }, { direct: true });
		expect(await createExecutor(house.deps).execute(answer)).toMatchObject({ kind: 'confirmed' });
		expect(house.said).toEqual(['Still here.']);
		const { running } = await house.ledger.read(house.room.id, house.time.now());
		expect(running, 'only the old mark').toEqual(['chat']);
	});

	test('OVR-24 the same call again is answered from what came of it, not called blocked', async () => {
		const house = createHouse();
		const first = await createExecutor(house.deps).execute(house.request('lift_up'));
		house.rules.site = { mode: 'lockdown', lightsLock: 'none', paused: false };
		expect(await createExecutor(house.deps).execute(house.request('lift_up'))).toEqual(first);
		expect(house.home.heard).toHaveLength(1);
		expect(house.steps()).toEqual(['proposed', 'running', 'confirmed']);
	});

	test('OVR-24 a blocked call stays blocked when it comes again, even if it could run by then', async () => {
		const house = createHouse();
		house.rules.site = { mode: 'admin', lightsLock: 'none', paused: false };
		const first = await createExecutor(house.deps).execute(house.request('lift_up'));
		house.rules.site = { mode: 'open', lightsLock: 'none', paused: false };
		expect(await createExecutor(house.deps).execute(house.request('lift_up'))).toEqual(first);
		expect(house.home.heard).toEqual([]);
	});

	test('OVR-25 an act that could not be written down is not done', async () => {
		const house = createHouse();
		const append = house.audit.append;
		const audit = {
			...house.audit,
			append: async (row: Parameters<typeof append>[0]) => {
				if (row.step === 'running') throw new Error('disk full');
				await append(row);
			},
		};
		const outcome = await createExecutor({ ...house.deps, audit }).execute(house.request('lift_up'));
		expect(outcome).toMatchObject({ kind: 'failed', code: 'store_unavailable' });
		expect(house.home.heard).toEqual([]);
	});

	test('OVR-24 OVR-25 rows, numbers and settling that fail afterwards change nothing and repeat nothing', async () => {
		const house = createHouse();
		const explode = () => {
			throw new Error('away');
		};
		const broken = async () => explode();
		let rows = 0;
		const audit = { ...house.audit, append: async () => (rows += 1) > 2 && (await broken()) };
		const deps = {
			...house.deps,
			audit: audit as unknown as typeof house.deps.audit,
			claims: { ...house.claims, settle: broken },
			ledger: { ...house.ledger, release: broken },
			rooms: { ...house.deps.rooms, addOwnContext: broken },
			metrics: { count: explode, gauge: explode, observe: explode },
		};
		const executor = createExecutor(deps);
		expect(await executor.execute(house.request('ha_set_entity', shelfOn))).toMatchObject({ kind: 'confirmed' });
		house.time.advance(120_000);
		house.home.set('light.shelf', 'off');
		expect(await executor.execute(house.request('ha_set_entity', shelfOn))).toMatchObject({ kind: 'unknown' });
		expect(house.home.heard).toHaveLength(1);
	});

	test('OVR-24 without the claim store nothing is tried and nothing is settled', async () => {
		const house = createHouse();
		const claims = { ...house.claims, claim: async () => Promise.reject(new Error('away')) };
		const outcome = await createExecutor({ ...house.deps, claims }).execute(house.request('lift_up'));
		expect(outcome).toMatchObject({ kind: 'failed', code: 'store_unavailable' });
		expect(house.home.heard).toEqual([]);
		expect(house.claims.kept.size).toBe(0);
	});

	test('OVR-5 a call given up before it began does nothing', async () => {
		const house = createHouse();
		const outcome = await createExecutor(house.deps).execute(
			house.request('lift_up', {}, { signal: AbortSignal.abort() }),
		);
		expect(outcome).toMatchObject({ kind: 'failed', code: 'aborted' });
		expect(house.home.heard).toEqual([]);
	});

	test('Q01 a process that slept between claim and act is too late and does nothing', async () => {
		const house = createHouse();
		const ledger = {
			...house.ledger,
			async attempt(request: Parameters<typeof house.ledger.attempt>[0]) {
				house.time.advance(60_000);
				return await house.ledger.attempt(request);
			},
		};
		const outcome = await createExecutor({ ...house.deps, ledger }).execute(house.request('lift_up'));
		expect(outcome).toMatchObject({ kind: 'failed', code: 'late' });
		expect(house.home.heard).toEqual([]);
	});

	test('OVR-15 memory_read gives its notes, also while observing, also after an interruption', async () => {
		const house = createHouse();
		await house.deps.memory.write('den', 2, 'sam likes dark');
		house.rules.stage = 'observe';
		await house.claims.claim('c-memory_read', house.time.now());
		const outcome = await createExecutor(house.deps).execute(house.request('memory_read'));
		expect(outcome).toMatchObject({ kind: 'confirmed', result: { 1: '', 2: 'sam likes dark', 3: '' } });
	});

	test('OVR-26 memory_write writes one slot through the tool', async () => {
		const house = createHouse();
		await createExecutor(house.deps).execute(house.request('memory_write', { slot: '2', text: 'sam likes dark' }));
		expect(await house.deps.memory.read('den')).toEqual(['', 'sam likes dark', '']);
	});
});

describe('locks that change while the model thinks', () => {
	type Change = (house: ReturnType<typeof createHouse>) => void;
	const site = (policy: Partial<SitePolicy>): Change => {
		return (house) => {
			house.rules.site = { mode: 'open', lightsLock: 'none', paused: false, ...policy };
		};
	};
	const changes: [string, string, unknown, Change, string][] = [
		['lockdown', 'lift_up', {}, site({ mode: 'lockdown' }), 'policy_lock:site_mode_lockdown'],
		['admin mode', 'neato_start', {}, site({ mode: 'admin' }), 'policy_lock:site_mode_admin'],
		['lights locked on', 'ha_set_entity', shelfOn, site({ lightsLock: 'on' }), 'policy_lock:lights_locked_on'],
		[
			'lights locked off',
			'ha_run_script',
			{ script: 'movie' },
			site({ lightsLock: 'off' }),
			'policy_lock:lights_locked_off',
		],
		['pause', 'chat_say', { text: 'x' }, site({ paused: true }), 'paused'],
		[
			'lockdown, unasked speech',
			'chat_say',
			{ text: 'x' },
			site({ mode: 'lockdown' }),
			'policy_lock:site_mode_lockdown',
		],
		['vote', 'lift_up', {}, (house) => void (house.rules.votedQuiet = true), 'vote'],
		['stage', 'lift_up', {}, (house) => void (house.rules.stage = 'chat'), 'stage'],
		['device gone', 'lift_up', {}, (house) => house.home.set('cover.lift', 'unavailable'), 'unavailable'],
		['house gone', 'lift_up', {}, (house) => house.home.connect(false), 'unavailable'],
		['lift moving', 'lift_up', {}, (house) => house.home.set('cover.lift', 'opening'), 'busy'],
	];

	test.each(changes)(
		'OVR-14 OVR-21 X03 %s set before execution blocks %s with its code',
		async (_what, tool, args, change, code) => {
			const house = createHouse();
			change(house);
			const outcome = await createExecutor(house.deps).execute(house.request(tool, args));
			expect(blockCodes(outcome)).toContain(code);
			expect(house.home.heard).toEqual([]);
			expect(house.said).toEqual([]);
			expect(house.audit.rows.at(-1)).toMatchObject({
				step: 'blocked',
				summary: expect.stringContaining('at execution'),
			});
			expect(house.metrics.counts.get(`overseer_calls_blocked_total{tool=${tool},reason=${code}}`)).toBe(1);
		},
	);

	test.each(changes)('OVR-21 X03 %s set after the booking still blocks %s', async (_what, tool, args, change, code) => {
		const house = createHouse();
		const ledger = {
			...house.ledger,
			async attempt(request: Parameters<typeof house.ledger.attempt>[0]) {
				const booked = await house.ledger.attempt(request);
				change(house);
				return booked;
			},
		};
		const outcome = await createExecutor({ ...house.deps, ledger }).execute(house.request(tool, args));
		expect(blockCodes(outcome)).toContain(code);
		expect(house.home.heard).toEqual([]);
		expect(house.said).toEqual([]);
	});

	test('X03 several locks at once are all recorded', async () => {
		const house = createHouse();
		site({ mode: 'lockdown', lightsLock: 'on', paused: true })(house);
		const outcome = await createExecutor(house.deps).execute(house.request('ha_set_entity', shelfOn));
		expect(blockCodes(outcome)).toEqual(['paused', 'policy_lock:site_mode_lockdown', 'policy_lock:lights_locked_on']);
		expect(house.audit.rows.at(-1)?.reasons).toHaveLength(3);
	});
});

describe('staleness', () => {
	test('OVR-8 an action is dropped and counted when what it touches changed meanwhile', async () => {
		const house = createHouse();
		const expectedWorld = house.world();
		house.home.set('light.shelf', 'on');
		const off = { entity_id: 'light.shelf', state: 'off' };
		const outcome = await createExecutor(house.deps).execute(house.request('ha_set_entity', off, { expectedWorld }));
		expect(outcome).toMatchObject({ kind: 'blocked', reasons: [{ code: 'stale', detail: 'off to on' }] });
		expect(house.metrics.counts.get('overseer_stale_total{what=action}')).toBe(1);
		expect(house.home.heard).toEqual([]);
	});

	test('OVR-8 what another entity did is no reason, nor is what we did ourselves', async () => {
		const house = createHouse();
		const expectedWorld = house.world();
		house.home.set('light.bench', 'off');
		house.home.set('light.shelf', 'on', {}, 'ours');
		house.ownContexts.push('ours');
		const off = { entity_id: 'light.shelf', state: 'off' };
		const outcome = await createExecutor(house.deps).execute(house.request('ha_set_entity', off, { expectedWorld }));
		expect(outcome.kind).toBe('confirmed');
	});
});
