import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createQueues } from '../../../jobs/queues.ts';
import { openProcessHouse, type ProcessHouse } from '../../support/process-house.ts';
import { eventually, startTestRedis, type TestRedis, testLog } from '../../support/redis.ts';
import { openStartedHouse, type StartedHouse, type StartedProcess } from '../../support/started-house.ts';
import { intakeReady, linkedThread, walkIn } from '../intake-bot/walk.ts';

/*
 * One process as an operator starts it, at level debug, with a secret in every place that can have one; then everything
 * goes wrong that can, each time with secrets and words of people in reach.
 */
const SECRETS = {
	ANTHROPIC_API_KEY: 'sk-opensesame-anthropic-0123456789',
	ADMIN_PASSWORD: 'opensesame-admin-password',
	ADMIN_TOKEN: 'opensesame-admin-token-01',
	METRICS_TOKEN: 'opensesame-metrics-token-01',
	FLEET: 'opensesame-fleet-token-01',
	CALLER: 'opensesame-caller-token-01',
	PACKET: 'opensesame-packet-secret-01',
	REDIS: 'opensesame-redis-password-01',
	COLLECTOR: 'opensesame-collector-key-01',
	INTAKE: Buffer.from('opensesame-intake-key-of-32-byte').toString('base64'),
};
/** Words that people say; each place has its own, so that a leak tells where it comes from. */
const WORDS = {
	chat: 'Adelheid',
	wish: 'Brunhilde',
	answer: 'Cornelius',
	reply: 'Dagobert',
	packet: 'Ermintrud',
	report: 'Friedolin',
	home: 'Gottlieb',
	job: 'Hildegard',
	surprise: 'Isidor',
};
const ON_SIGNAL = `process.on('SIGUSR2',()=>{throw Object.assign(new Error('no '+process.env.DISCORD_TOKEN+' '+process.env.REDIS_URL),{text:process.env.SURPRISE})})`;

let redis: TestRedis;
let house: ProcessHouse;
let started: StartedHouse;
let run: StartedProcess;
const outputs: string[] = [];

beforeAll(async () => {
	redis = await startTestRedis({ own: true });
	const admin = await redis.connect();
	await admin.ask((client) => client.call('ACL', 'SETUSER', 'maja', 'on', `>${SECRETS.REDIS}`, '~*', '&*', '+@all'));
	house = await openProcessHouse({
		redis,
		script: () => ({ text: JSON.stringify({ mode: 'CHAT', chat: `I greet ${WORDS.reply}.` }) }),
		change(settings) {
			settings.overseer.gate.heartbeatMs = 3_600_000;
			settings.overseer.gate.idleHeartbeatMs = 0;
			settings.intake.quietMs = 200;
			settings.fleet.channelId = settings.discord.adminChannelId;
		},
	});
	started = await openStartedHouse(house);
	run = await started.start('all', {
		...environment(),
		LOG_LEVEL: 'debug',
		SURPRISE: WORDS.surprise,
		NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(ON_SIGNAL)}`,
	});
	await house.discord.control.waitBot({ bot: 'Majordomo', timeoutMs: 30_000 });
	// What is said before that, at the very first start of all, is history to it.
	await logged(/the household is up/);
}, 180_000);
afterAll(async () => {
	await started?.stop();
	await house?.close();
	await redis?.stop();
});

function environment() {
	const where = house.redis.where;
	if (where.kind !== 'socket') throw new Error('the test has a Redis of its own');
	return {
		ANTHROPIC_API_KEY: SECRETS.ANTHROPIC_API_KEY,
		ADMIN_PASSWORD: SECRETS.ADMIN_PASSWORD,
		ADMIN_TOKEN: SECRETS.ADMIN_TOKEN,
		METRICS_TOKEN: SECRETS.METRICS_TOKEN,
		FLEET_TOKENS: `laptop:${SECRETS.FLEET}`,
		CXP_CALLERS: `shop:${SECRETS.CALLER}`,
		PACKET_KEYS: `shop:k1:${SECRETS.PACKET}`,
		INTAKE_KEYS: `k1:${SECRETS.INTAKE}`,
		REDIS_URL: `unix://maja:${SECRETS.REDIS}@${where.path}`,
		OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
		OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${SECRETS.COLLECTOR}`,
	};
}

const httpUrl = () => String(run.rows().find(({ msg }) => msg === 'the household is up')?.['http']);
const logged = (matches: RegExp, level?: string) =>
	eventually(`the log says ${matches}`, () =>
		run.rows().find((row) => matches.test(JSON.stringify(row)) && (level === undefined || row['level'] === level)),
	);
const say = async (text: string) => (await house.discord.control.message({ as: 'sam', channel: 'room', text })).id;
const answered = (after: string) =>
	house.discord.control.waitMessage({ channel: 'room', after, author: 'Majordomo', timeoutMs: 30_000 });

describe.sequential('secrets and words, fed into every path', () => {
	test('OPS-8 chat, a failing model and a refusing house', { timeout: 60_000 }, async () => {
		await answered(await say(`overseer, greet ${WORDS.chat}`));
		const body = { error: `bad prompt "${WORDS.chat}" with ${SECRETS.ANTHROPIC_API_KEY}` };
		house.model.control.queue({ kind: 'error', status: 400, body });
		await answered(await say(`overseer, again ${WORDS.chat}`));
		await logged(/no usable answer/, 'warn');
		house.model.control.queue({ kind: 'raw', lines: [`{"message": ${WORDS.reply} ${SECRETS.ANTHROPIC_API_KEY}`] });
		await say(`overseer, once more ${WORDS.chat}`);
		await eventually('it was asked', () => house.model.control.requests().length >= 3);
		house.home.control.fault({ kind: 'reject', code: 'no', message: `${WORDS.home} ${house.home.token}`, times: 5 });
		house.model.control.reset();
		house.model.control.queue({
			kind: 'json',
			value: { mode: 'ACTION', calls: [{ tool: 'ha_set_entity', args: { entity_id: 'light.shelf', state: 'on' } }] },
		});
		// The outage of before may still be waited out.
		await say(`overseer, the shelf lamp ${WORDS.chat}`);
		await logged(/a command went to the house.*/);
	});

	test('OPS-8 an intake with its wish and its answers', { timeout: 60_000 }, async () => {
		const { control } = house.discord;
		await intakeReady(control);
		house.model.control.reset();
		const opened = await control.command({
			as: 'alex',
			channel: 'intake',
			command: 'intake start',
			options: { intent: `I want a shop for ${WORDS.wish}.` },
			until: 'complete',
			timeoutMs: 20_000,
		});
		const walk = walkIn(control, linkedThread(opened.message?.text ?? ''));
		await logged(/IDLE => INTENT_RECEIVED/);
		await walk.say(`It must greet ${WORDS.answer}.`);
		await logged(/"taken in"|was taken|SUSPENDED|RESPONSE_RECEIVED|QUESTIONING/);
	});

	test('OPS-8 requests that are wrong in every way', { timeout: 60_000 }, async () => {
		const post = (path: string, body: string, headers: Record<string, string>) =>
			fetch(`${httpUrl()}${path}`, { method: 'POST', body, headers, redirect: 'manual' });
		const json = { 'content-type': 'application/json' };
		const fleet = { ...json, authorization: `Bearer ${SECRETS.FLEET}` };
		const caller = { ...json, authorization: `Bearer ${SECRETS.CALLER}` };
		const broken = [
			post('/fleet/events', `{"source": "script", "events": ${WORDS.report}`, fleet),
			post('/fleet/events', JSON.stringify({ source: 'script', events: [{ text: WORDS.report }] }), fleet),
			post('/fleet/events', '{}', { ...fleet, authorization: `Bearer ${SECRETS.FLEET}-wrong` }),
			post('/cxp', `{"subject": ${WORDS.packet}`, caller),
			post('/cxp', JSON.stringify({ subject: 'intent', body: WORDS.packet }), caller),
			post('/login', new URLSearchParams({ password: `${SECRETS.ADMIN_PASSWORD}!` }).toString(), {
				'content-type': 'application/x-www-form-urlencoded',
				Origin: httpUrl(),
			}),
			post('/login', new URLSearchParams({ password: SECRETS.ADMIN_PASSWORD }).toString(), {
				'content-type': 'application/x-www-form-urlencoded',
				Origin: httpUrl(),
			}),
			fetch(`${httpUrl()}/metrics?token=${SECRETS.METRICS_TOKEN}`),
			fetch(`${httpUrl()}/nowhere/${SECRETS.ADMIN_TOKEN}`, {
				headers: { authorization: `Bearer ${SECRETS.ADMIN_TOKEN}` },
			}),
		];
		const statuses = (await Promise.all(broken)).map(({ status }) => status);
		expect(statuses.filter((status) => status >= 400).length).toBeGreaterThan(5);
		await logged(/failed login/);
	});

	test('OPS-8 jobs without sense, a Redis that refuses, settings with a secret', { timeout: 60_000 }, async () => {
		const admin = await redis.connect();
		const queues = createQueues({ connection: admin.handlers, prefix: redis.prefix, log: testLog() });
		const data = { roomId: 7, [WORDS.job]: WORDS.job, token: house.discord.token };
		await queues.queue('overseer-decide').add('overseer-decide', data);
		const call = {
			roomId: 'workshop',
			decisionId: 'd',
			callId: 'c',
			tool: 'lift_up',
			trigger: 'x',
			direct: true,
			decidedAt: 1,
		};
		await queues.add('tool-run', { ...call, argsJson: `${WORDS.job} says hello` });
		await logged(/job failed.*|"msg":"job failed"/, 'error');
		await eventually('both failed', () => run.rows().filter(({ msg }) => msg === 'job failed').length >= 2);
		await queues.close();

		const acl = (...words: string[]) => admin.ask((client) => client.call('ACL', 'SETUSER', 'maja', ...words));
		await acl('resetpass', '>another-password-0123');
		await admin.ask((client) => client.call('CLIENT', 'KILL', 'USER', 'maja'));
		await logged(/Redis connection trouble/);
		await acl('resetpass', `>${SECRETS.REDIS}`);
		await eventually('it is back', async () => (await fetch(`${httpUrl()}/readyz`)).status === 200, 40_000);
	});

	test('OPS-8 an error that nobody caught, and starts that cannot work', { timeout: 90_000 }, async () => {
		run.child.process.kill('SIGUSR2');
		await eventually('it ends', () => run.child.process.exitCode !== null);
		expect(run.child.process.exitCode).toBe(1);
		await logged(/an error that nobody caught/, 'error');
		const wrong = {
			DISCORD_TOKEN: `Bot ${house.discord.token}`,
			HOME_ASSISTANT_TOKEN: `${house.home.token} and a space`,
			FLEET_TOKENS: SECRETS.FLEET,
			CXP_CALLERS: SECRETS.CALLER,
			PACKET_KEYS: SECRETS.PACKET,
			INTAKE_KEYS: `k1:${SECRETS.INTAKE}x`,
			REDIS_URL: `mysql://maja:${SECRETS.REDIS}@127.0.0.1/`,
			OTEL_EXPORTER_OTLP_HEADERS: `${SECRETS.COLLECTOR} `,
		};
		const file = JSON.stringify({
			discord: { token: house.discord.token },
			home: { url: `http://maja:${SECRETS.ADMIN_PASSWORD}@127.0.0.1`, accessToken: house.home.token },
			model: { anthropic: { apiKey: SECRETS.ANTHROPIC_API_KEY } },
		});
		const [config, refused] = await Promise.all([
			started.fail({ ...environment(), ...wrong }, file),
			started.fail({
				...environment(),
				REDIS_URL: environment().REDIS_URL.replace(SECRETS.REDIS, `${SECRETS.REDIS}!`),
			}),
		]);
		expect(config.child.process.exitCode).toBe(78);
		expect(config.output()).toContain('DISCORD_TOKEN');
		expect(refused.child.process.exitCode).toBe(1);
		outputs.push(config.output(), refused.output());
	});

	test('OPS-8 INT-23 no secret shows at any level, and no word of a person at info or above', async () => {
		outputs.push(run.output());
		const all = outputs.join('\n');
		expect(run.rows().length).toBeGreaterThan(50);
		const secrets = [...Object.values(SECRETS), house.discord.token, house.home.token];
		const forms = secrets.flatMap((secret) => [
			secret,
			encodeURIComponent(secret),
			Buffer.from(secret).toString('base64url'),
		]);
		for (const secret of forms) expect(linesWith(all, secret), secret).toEqual([]);
		expect(linesWith(all, 'opensesame')).toEqual([]);

		const isPublic = (row: Readonly<Record<string, unknown>>) => row['level'] !== 'debug';
		const shown = run
			.rows()
			.filter(isPublic)
			.map((row) => JSON.stringify(row))
			.join('\n');
		for (const word of Object.values(WORDS))
			expect(linesWith(`${shown}\n${run.child.stderr()}`, word), word).toEqual([]);
	});

	test('OPS-8 a trace id leads through the log without a collector too', () => {
		const taken = run.rows().filter(({ msg }) => msg === 'a message was taken in');
		expect(taken.length).toBeGreaterThan(2);
		const [first] = taken;
		const found = run
			.rows()
			.filter(({ trace }) => trace === first?.['trace'])
			.map(({ msg }) => msg);
		for (const step of ['the gate opened', 'a decision began', 'a decision ended', 'a line was posted'])
			expect(found).toContain(step);
	});
});

function linesWith(text: string, part: string): string[] {
	return text
		.split('\n')
		.filter((line) => line.includes(part))
		.map((line) => line.slice(0, 600));
}
