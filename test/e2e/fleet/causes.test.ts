import { expect, test } from 'vitest';
import { logLine } from '../../../core/fleet/log-view.ts';
import { fastFleet, RIA, reporter, SCHEMA_QUESTION } from '../../support/fleet.ts';
import { ask, fleetScene, scriptedOllama, turn, words } from '../../support/fleet-scene.ts';
import { fleetStage } from '../../support/fleet-stage.ts';
import { eventually } from '../../support/redis.ts';

const stage = fleetStage();

test('FLT-16 what it did is logged with what woke it: the switch, an event, a person', async () => {
	await stage.open({ settings: fastFleet() });
	const { control } = stage.ollama;
	const scene = fleetScene(stage.bench, control);
	control.always(words(''));
	stage.bench.work({ model: scriptedOllama(stage.ollama.url) });
	const say = (text: string) => turn({ tool: 'hub_notify', args: { text, level: 'info' } });
	const line = (text: string) =>
		eventually(`it said ${text}`, async () => {
			const event = (await scene.events('concierge_said')).find((one) => one.text.includes(text));
			return event && logLine(event, event.at);
		});

	control.queue(say('the fleet is empty'));
	await stage.bench.desks.conciergeDesk.on(RIA);
	expect(await line('the fleet is empty')).toMatch(/ · woken by being switched on$/);
	await scene.calm();

	control.queue(say('somebody waits'));
	const api = reporter('api', 'api-fix');
	await stage.bench.report([api.say('started'), api.say('question', SCHEMA_QUESTION)]);
	expect(await line('somebody waits')).toMatch(/ · woken by api-fix: question and 1 more$/);
	await scene.calm();

	control.queue(turn({ tool: 'hub_read', args: { id: 'api-fix', what: 'question' } }));
	await stage.bench.desks.conciergeDesk.ask(ask('q1', 'what does api-fix want to know?'));
	const did = await eventually('it read', async () => (await scene.events('concierge_did')).at(-1));
	expect(logLine(did, did.at)).toContain('concierge did api-fix: hub_read · asked by Ria');
	await scene.calm();
}, 60_000);
