import { checkHomeUrl } from '../../adapters/home/home-url.ts';
import { knockAtHome, readHomeEntities } from '../../adapters/operations/home-rest.ts';
import { type Choice, deviceChoices } from '../../core/operations/setup/devices.ts';
import type { SetupAnswers } from '../../core/operations/setup/plan.ts';
import type { Asker } from './asker.ts';
import type { Present } from './present.ts';

const DEADLINE_MS = 15_000;

/** Home Assistant and the room's devices, suggested from what is there now. Undefined: the room only talks. */
export async function askHome(asker: Asker, { settings, variables }: Present): Promise<SetupAnswers['home']> {
	const wanted = await asker.confirm({
		key: 'useHome',
		ask: '\nConnect Home Assistant, so that it can switch things?',
		initial: true,
	});
	if (!wanted) return undefined;
	const address = await asker.text({
		key: 'homeUrl',
		ask: 'Its address',
		initial: settings?.home.url ?? 'http://127.0.0.1:8123',
		check: async (text) => {
			const checked = checkHomeUrl(text);
			if (checked.kind === 'refused') return `It ${checked.problem}.`;
			const problem = await knockAtHome(checked.url, AbortSignal.timeout(DEADLINE_MS));
			return problem && `Home Assistant does not answer there (${problem}).`;
		},
	});
	const checked = checkHomeUrl(address);
	const url = checked.kind === 'ok' ? checked.url : address;
	const token = await asker.text({
		key: 'homeToken',
		ask: `Long-lived access token (${url}/profile/security)`,
		initial: variables['HOME_ASSISTANT_TOKEN'],
		secret: true,
		check: async (text) =>
			(await read(url, text)).kind === 'ok'
				? undefined
				: 'Home Assistant refuses this token. Create a new one there and copy it whole.',
	});
	const found = await read(url, token);
	const choices = deviceChoices(found.kind === 'ok' ? found.entities : []);
	const room = settings?.rooms[0];
	const lights = await many(
		asker,
		'lights',
		'\nLamps of the room; nothing else is ever switched:',
		choices.lights,
		room?.lights.map(({ entityId }) => entityId),
	);
	const lift = await one(asker, 'lift', '\nIs one of these a lift?', choices.lifts);
	const vacuum = await one(asker, 'vacuum', '\nIs one of these its vacuum?', choices.vacuums);
	const presenceEntityIds = await many(
		asker,
		'presence',
		'\nSensors that tell whether somebody is there:',
		choices.presence,
		room?.presenceEntityIds,
	);
	return { url, token, lights, lift, vacuum, presenceEntityIds };
}

const read = (url: string, token: string) =>
	readHomeEntities({ url, token, signal: AbortSignal.timeout(DEADLINE_MS), now: Date.now });

async function many<T>(
	asker: Asker,
	key: string,
	ask: string,
	choices: readonly Choice<T>[],
	present: readonly string[] | undefined,
): Promise<T[]> {
	const suggested = choices.filter((choice) => choice.suggested).map(({ value }) => value);
	const kept = present?.filter((id) => choices.some(({ value }) => value === id)) ?? [];
	const chosen = await asker.chooseMany({ key, ask, options: choices, initial: kept.length > 0 ? kept : suggested });
	return choices.filter(({ value }) => chosen.includes(value)).map(({ settings }) => settings);
}

async function one<T>(asker: Asker, key: string, ask: string, choices: readonly Choice<T>[]): Promise<T | undefined> {
	if (choices.length === 0) return undefined;
	const initial = choices.find(({ suggested }) => suggested)?.value;
	const chosen = await asker.choose({ key, ask, options: choices, initial, none: true });
	return choices.find(({ value }) => value === chosen)?.settings;
}
