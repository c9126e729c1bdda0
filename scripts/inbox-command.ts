import type { DeliveryState, InboxEntry, InboxStore } from '../core/intake/inbox.ts';

export interface InboxCommandDeps {
	readonly inbox: InboxStore;
	now(): number;
	say(line: string): void;
}

const USAGE = `ba-inbox list [waiting|dead|delivered]   packets, newest first
ba-inbox show <packet>                   one packet as JSON, while its content is kept
ba-inbox replay <packet> [place]         brings it again to one place, or to every place where it is dead`;

const LIMIT = 200;

function describeEntry({ packetId, projectName, at, deliveries, hasContent }: InboxEntry): string[] {
	const head = `${packetId}  ${projectName}  ${new Date(at).toISOString()}${hasContent ? '' : '  (content deleted)'}`;
	return [
		head,
		...deliveries.map(
			({ sink, state, attempts, problem }) =>
				`  ${sink.padEnd(20)} ${state.padEnd(10)} ${attempts} ${attempts === 1 ? 'try' : 'tries'}${problem ? `: ${problem}` : ''}`,
		),
	];
}

/** Runs one command; gives the exit code. What is to be brought again is picked up by a running worker within a minute. */
export async function runInboxCommand(args: readonly string[], deps: InboxCommandDeps): Promise<number> {
	const { inbox, say } = deps;
	const [command, name, place] = args;
	if (command === 'list') {
		if (name !== undefined && !['waiting', 'dead', 'delivered'].includes(name)) {
			say(USAGE);
			return 2;
		}
		const entries = await inbox.list({ limit: LIMIT, ...(name === undefined ? {} : { state: name as DeliveryState }) });
		if (entries.length === 0) say('no packets');
		for (const entry of entries) for (const line of describeEntry(entry)) say(line);
		return 0;
	}
	if (name === undefined || (command !== 'show' && command !== 'replay')) {
		say(USAGE);
		return 2;
	}
	const entry = await inbox.entry(name);
	if (!entry) {
		say(`there is no packet ${name}`);
		return 1;
	}
	if (command === 'show') {
		const packet = await inbox.packet(name);
		say(packet ? JSON.stringify(packet, undefined, '\t') : 'its content was deleted after delivery');
		return packet ? 0 : 1;
	}
	const places =
		place === undefined ? entry.deliveries.filter(({ state }) => state === 'dead').map(({ sink }) => sink) : [place];
	if (places.length === 0) say('it is dead nowhere; name a place to bring it there again');
	let code = places.length === 0 ? 1 : 0;
	for (const sink of places) {
		const replayed = await inbox.replay(name, sink, deps.now());
		say(replayed ? `${sink}: it will be brought again` : `${sink}: nothing to bring, or no such place`);
		if (!replayed) code = 1;
	}
	return code;
}
