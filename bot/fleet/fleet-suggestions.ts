import type { AutocompleteInteraction } from 'discord.js';
import { bare } from '../../core/fleet/quote.ts';
import type { FleetSession } from '../../core/fleet/session.ts';
import { byUrgency } from '../../core/fleet/session-line.ts';
import type { HostOffer } from '../../core/fleet/start-desk.ts';
import type { Clock, Log } from '../../core/ports.ts';
import type { InteractionArea } from '../interactions/interactions.ts';
import type { FleetPorts } from './fleet-ports.ts';
import { LOG_WORDS } from './log/log-query.ts';

interface Choice {
	readonly name: string;
	readonly value: string;
}

const FRESH_MS = 3_000;
/** Discord wants suggestions within three seconds; late ones are worth nothing. */
const WAIT_MS = 1_500;
const CHOICES = 25;
const SESSIONS_MAX = 1_000;
const COMMANDS = ['session', 'concierge', 'log', 'ask'];

/** Suggestions while people type: names of sessions, folders, machines, kinds of events. */
export function createFleetSuggestions(deps: {
	readonly ports: Pick<FleetPorts, 'sessions' | 'startDesk'>;
	readonly clock: Clock;
	readonly log: Log;
}): InteractionArea {
	const sessions = remembered(() => deps.ports.sessions.list(SESSIONS_MAX), [] as readonly FleetSession[], deps);
	const hosts = remembered(async () => (await deps.ports.startDesk?.hosts()) ?? [], [] as readonly HostOffer[], deps);

	const choices = async (option: string, typed: string, interaction: AutocompleteInteraction): Promise<Choice[]> => {
		switch (option) {
			case 'session':
				return sessionChoices(await sessions(), typed);
			case 'kinds':
				return kindChoices(typed);
			case 'directory':
				return directoryChoices(await hosts(), typed, interaction.options.getString('host') ?? '');
			case 'host':
				return fitting(
					(await hosts()).map(({ host }) => host),
					typed,
				);
			default:
				return [];
		}
	};

	return {
		take(interaction) {
			if (!interaction.isAutocomplete() || !COMMANDS.includes(interaction.commandName)) return undefined;
			const { name, value } = interaction.options.getFocused(true);
			return choices(name, value, interaction).then((found) => interaction.respond(found.slice(0, CHOICES)));
		},
	};
}

/** What needs people comes first; the id goes with a name that several share the beginning of. */
export function sessionChoices(sessions: readonly FleetSession[], typed: string): Choice[] {
	const wanted = typed.trim().toLowerCase();
	const starts = ({ name, id }: FleetSession) =>
		name.toLowerCase().startsWith(wanted) || (wanted.length > 3 && id.startsWith(wanted));
	const holds = ({ name }: FleetSession) => name.toLowerCase().includes(wanted);
	const sorted = [...sessions].sort(byUrgency);
	return [...sorted.filter(starts), ...sorted.filter((one) => !starts(one) && holds(one))]
		.slice(0, CHOICES)
		.map((session) => {
			const ended = session.endedAt === undefined ? '' : ', ended';
			const place = session.directory === undefined ? '' : ` · ${bare(session.directory, 40)}`;
			return { name: `${bare(session.name, 40)} · ${session.state}${ended}${place}`.slice(0, 100), value: session.id };
		});
}

/** Goes on with a list: everything before the last word stays. */
export function kindChoices(typed: string): Choice[] {
	const found = /^(.*[\s,;])?([^\s,;]*)$/.exec(typed);
	const before = (found?.[1] ?? '').trimStart();
	const last = (found?.[2] ?? '').toLowerCase().replaceAll('-', '_');
	return LOG_WORDS.filter((word) => word.startsWith(last) && !before.includes(word))
		.map((word) => `${before}${word}`)
		.filter((value) => value.length <= 100)
		.slice(0, CHOICES)
		.map((value) => ({ name: value, value }));
}

/** Allowed folders, of one machine when it is named; with what was typed below one of them as it stands. */
export function directoryChoices(hosts: readonly HostOffer[], typed: string, host: string): Choice[] {
	const meant = hosts.filter((one) => host === '' || one.host === host);
	const folders = [...new Set(meant.flatMap(({ directories }) => directories))];
	const wanted = typed.trim();
	const isBelow = folders.some((folder) => wanted.startsWith(`${folder.replace(/\/+$/, '')}/`) && wanted !== folder);
	const own = isBelow && wanted.length <= 100 ? [{ name: wanted, value: wanted }] : [];
	return [...own, ...fitting(folders, isBelow ? '' : wanted)].slice(0, CHOICES);
}

function fitting(values: readonly string[], typed: string): Choice[] {
	const wanted = typed.trim().toLowerCase();
	return [...new Set(values)]
		.filter((value) => value.toLowerCase().includes(wanted) && value.length <= 100)
		.map((value) => ({ name: value, value }));
}

/** What a store said a moment ago; what is known when it does not answer in time. */
function remembered<T>(read: () => Promise<T>, none: T, { clock, log }: { readonly clock: Clock; readonly log: Log }) {
	let known = none;
	let at = Number.NEGATIVE_INFINITY;
	return async (): Promise<T> => {
		if (clock.now() - at < FRESH_MS) return known;
		let timer: NodeJS.Timeout | undefined;
		const reading = read().then(
			(value) => {
				known = value;
				at = clock.now();
			},
			(error: unknown) => log.info({ error }, 'suggestions could not be read'),
		);
		const late = new Promise<void>((resolve) => {
			timer = setTimeout(resolve, WAIT_MS);
		});
		await Promise.race([reading, late]);
		clearTimeout(timer);
		return known;
	};
}
