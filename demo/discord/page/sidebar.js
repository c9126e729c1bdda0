import { avatar, el, replaceChildren } from './dom.js';
import { currentChannel, store } from './store.js';

const icons = { text: '#', 'public-thread': '↳', 'private-thread': '🔒', dm: '✉' };

function channelEntry(channel, isThread = false) {
	const mark = store.unread.get(channel.id);
	const label = channel.kind === 'dm' ? channel.members.filter((one) => one !== store.as).join(', ') : channel.name;
	const classes = ['channel', isThread && 'thread', channel.id === store.channelId && 'active', mark && 'unread'];
	return el(
		'button',
		{
			type: 'button',
			class: classes.filter(Boolean).join(' '),
			testid: `${isThread ? 'thread' : 'channel'}-${channel.name}`,
			data: { channelId: channel.id },
			onclick: () => store.openChannel(channel.id),
		},
		el('span', { class: 'channel-icon' }, icons[channel.kind] ?? '#'),
		el('span', { class: 'channel-name' }, label),
		channel.locked && el('span', { class: 'hint', title: 'locked' }, '⛔'),
		mark?.pinged && el('span', { class: 'badge' }, '1'),
	);
}

function withThreads(channel) {
	const threads = store.house.channels.filter(
		(one) => one.parentId === channel.id && (!one.archived || one.id === store.channelId),
	);
	return [channelEntry(channel), threads.map((one) => channelEntry(one, true))];
}

export function drawSidebar() {
	const { guild, channels, bots, people } = store.house;
	document.getElementById('guild-name').textContent = guild.name;
	const texts = channels.filter((one) => one.kind === 'text');
	const groups = channels.filter((one) => one.kind === 'category' && texts.some((two) => two.parentId === one.id));
	const direct = channels.filter((one) => one.kind === 'dm');
	replaceChildren(
		document.getElementById('channels'),
		texts.filter((one) => one.parentId === null).map(withThreads),
		groups.map((group) => [
			el('h2', {}, group.name),
			texts.filter((one) => one.parentId === group.id).map(withThreads),
		]),
		direct.length > 0 && [el('h2', {}, 'Direct messages'), direct.map((one) => channelEntry(one))],
	);
	replaceChildren(
		document.getElementById('bots'),
		bots.map((bot) =>
			el(
				'button',
				{
					type: 'button',
					class: bot.online ? 'bot-line online' : 'bot-line',
					testid: `bot-${bot.name.toLowerCase()}`,
					title: `Message ${bot.name} directly`,
					onclick: () => openDirect(bot),
				},
				el(
					'span',
					{ class: 'avatar-wrap' },
					avatar(bot.name, bot.name, true),
					el('i', { class: `dot ${bot.online ? bot.status : 'offline'}` }),
				),
				el(
					'span',
					{ class: 'bot-text' },
					el('b', {}, bot.name),
					el('small', {}, bot.online ? (bot.activity ?? 'online') : 'offline'),
				),
			),
		),
	);
	replaceChildren(
		document.getElementById('people'),
		el('h2', {}, 'Speak as'),
		el(
			'div',
			{ class: 'people' },
			people
				.filter((one) => one.member)
				.map((person) =>
					el(
						'button',
						{
							type: 'button',
							class: person.name === store.as ? 'person active' : 'person',
							testid: `person-${person.name}`,
							ariaPressed: String(person.name === store.as),
							title: [person.displayName, ...person.roles].join(' · '),
							onclick: () => store.speakAs(person.name),
						},
						avatar(person.name, person.displayName),
						el('span', {}, person.displayName),
						person.roles.includes('Admin') && el('small', { class: 'crown', title: 'administrator' }, '♛'),
					),
				),
		),
	);
}

/** A direct channel exists from its first message on; until then the name stands for it. */
async function openDirect(bot) {
	const existing = store.house.channels.find((one) => one.kind === 'dm' && one.members.includes(bot.name));
	if (existing !== undefined) return store.openChannel(existing.id);
	const { call } = await import('./api.js');
	await call('messages', { as: store.as, channel: `dm:${bot.name}` });
	store.house = await call('state', { as: store.as });
	const made = store.house.channels.find((one) => one.kind === 'dm' && one.members.includes(bot.name));
	return store.openChannel(made?.id ?? store.channelId);
}

export function drawHeader() {
	const channel = currentChannel();
	const parent = store.house.channels.find((one) => one.id === channel?.parentId && one.kind === 'text');
	const title =
		channel === undefined
			? 'No channel is visible'
			: channel.kind === 'dm'
				? channel.members.filter((one) => one !== store.as).join(', ')
				: channel.name;
	replaceChildren(
		document.getElementById('channel-title'),
		channel && el('span', { class: 'channel-icon' }, icons[channel.kind] ?? '#'),
		parent &&
			el(
				'button',
				{ type: 'button', class: 'crumb', testid: 'parent-channel', onclick: () => store.openChannel(parent.id) },
				`${parent.name} ›`,
			),
		title,
	);
	const notes = [channel?.topic, channel?.archived && 'archived', channel?.locked && 'locked'];
	document.getElementById('channel-topic').textContent = notes.filter(Boolean).join(' · ');
}
