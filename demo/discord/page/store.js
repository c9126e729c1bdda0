import { call } from './api.js';
import { toast } from './dom.js';

/**
 * What the page knows: who speaks, what that person sees, which channel is open.
 * `draw` is set by the app and redraws one region: 'sidebar', 'header', 'messages', 'composer', 'typing', 'panels'.
 */
export const store = {
	as: '',
	house: { guild: { id: '', name: '' }, people: [], bots: [], roles: [], channels: [], sidePanels: [] },
	channelId: '',
	messages: new Map(),
	replyTo: undefined,
	editing: undefined,
	/** Channel id → {unread, pinged}. */
	unread: new Map(),
	/** Channel id → name → time when the indicator goes out. */
	typing: new Map(),
	/** Commands sent but not answered yet: {key, label, failed}. */
	pendingCommands: [],
	/** Message id → text under a message whose component failed. */
	failures: new Map(),
	draw: () => {},
};

export const me = () => store.house.people.find((one) => one.name === store.as);
export const channelById = (id) => store.house.channels.find((one) => one.id === id);
export const currentChannel = () => channelById(store.channelId);

export function userName(id) {
	const person = store.house.people.find((one) => one.id === id);
	return person?.displayName ?? store.house.bots.find((one) => one.applicationId === id)?.name ?? 'unknown';
}

/** How markdown names people, roles and channels. */
export const naming = {
	userName,
	roleName: (id) => store.house.roles.find((one) => one.id === id)?.name ?? 'unknown',
	channelName: (id) => channelById(id)?.name ?? 'unknown',
	openChannel: (id) => store.openChannel(id),
	get selfId() {
		return me()?.id;
	},
};

/** Runs an action and shows a refusal as a note; returns undefined then. */
export async function attempt(action) {
	try {
		return await action();
	} catch (error) {
		toast(error.message);
		return undefined;
	}
}

export const act = (name, input) => attempt(() => call(name, { as: store.as, ...input }));

/** Sends something the bot must answer and reports when it does not. */
export async function interact(name, input, onFailed) {
	const result = await act(name, { timeoutMs: 4000, ...input });
	if (result === undefined) onFailed?.('');
	else if (!result.acknowledged)
		onFailed?.(result.kind === 'command' ? 'The application did not respond' : 'This interaction failed');
	else if (result.modal !== null) store.openModal(result);
	return result;
}
