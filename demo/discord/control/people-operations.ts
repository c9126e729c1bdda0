import { AllowedMentionsTypes } from 'discord-api-types/v10';
import { z } from 'zod';
import { setPinned } from '../messages/pins.ts';
import { deleteMessage, editMessage, postMessage } from '../messages/poster.ts';
import { addReaction, removeReaction } from '../messages/reactions.ts';
import { startTyping } from '../messages/typing.ts';
import { demand } from '../state/permissions.ts';
import { findNamed, type World } from '../state/world.ts';
import { makeThread } from '../threads/thread-maker.ts';
import { ControlError } from './control-error.ts';
import { channelByName, messageById, personOf } from './lookups.ts';
import { fileInput, flag, operation, toUpload } from './operation.ts';
import { type SeenChannel, type SeenMessage, seenChannel, seenMessage } from './seen.ts';

/** `@name` of somebody here becomes a mention, as when it is picked in Discord's own client. */
function withMentions(world: World, text: string): string {
	return text.replace(/(\\)?@([\w.-]+)/g, (whole, escaped: string | undefined, name: string) => {
		if (escaped !== undefined) return `@${name}`;
		const account = findNamed(world.accounts.values(), name);
		if (account !== undefined) return `<@${account.id}>`;
		const role = findNamed(world.roles.values(), name, (one) => one.id !== world.guildId);
		return role === undefined ? whole : `<@&${role.id}>`;
	});
}

const as = z.string();

export const peopleOperations = {
	/** Says something. */
	message: operation(
		z.object({
			as,
			channel: z.string(),
			text: z.string().default(''),
			replyTo: z.string().optional(),
			/** A reply pings its author unless this is false. */
			ping: flag.default(true),
			attachments: z.array(fileInput).default([]),
			/** Leave `@name` as it is. */
			verbatim: flag.default(false),
		}),
		({ world }, input): SeenMessage => {
			const person = personOf(world, input.as);
			const channel = channelByName(world, input.channel, person.id);
			const content = input.verbatim ? input.text : withMentions(world, input.text);
			const message = postMessage(
				world,
				channel,
				{
					content,
					files: input.attachments.map(toUpload),
					message_reference: input.replyTo === undefined ? undefined : { message_id: input.replyTo },
					allowed_mentions: input.ping
						? undefined
						: { parse: Object.values(AllowedMentionsTypes), replied_user: false },
				},
				{ authorId: person.id },
			);
			return seenMessage(world, message);
		},
	),
	edit: operation(
		z.object({ as, message: z.string(), text: z.string(), verbatim: flag.default(false) }),
		({ world }, input): SeenMessage => {
			const person = personOf(world, input.as);
			const { message } = messageById(world, input.message, person.id);
			if (message.authorId !== person.id) throw new ControlError('not-allowed', 'only the author can edit a message');
			const content = input.verbatim ? input.text : withMentions(world, input.text);
			return seenMessage(world, editMessage(world, message, { content, files: [] }));
		},
	),
	/** Deletes a message: one's own, or any with MANAGE_MESSAGES. An ephemeral one is dismissed. */
	delete: operation(z.object({ as, message: z.string() }), ({ world }, input): { deleted: string } => {
		const person = personOf(world, input.as);
		const { message, channel } = messageById(world, input.message, person.id);
		const own = message.authorId === person.id || message.audienceId === person.id;
		if (!own) demand(world, person.id, channel, 'ManageMessages');
		deleteMessage(world, message);
		return { deleted: message.id };
	}),
	react: operation(
		z.object({ as, message: z.string(), emoji: z.string(), remove: flag.default(false) }),
		({ world }, input): SeenMessage => {
			const person = personOf(world, input.as);
			const { message, channel } = messageById(world, input.message, person.id);
			const change = input.remove ? removeReaction : addReaction;
			change(world, channel, message, person.id, input.emoji);
			return seenMessage(world, message);
		},
	),
	pin: operation(
		z.object({ as, message: z.string(), remove: flag.default(false) }),
		({ world }, input): SeenMessage => {
			const person = personOf(world, input.as);
			const { message, channel } = messageById(world, input.message, person.id);
			demand(world, person.id, channel, 'PinMessages');
			setPinned(world, channel, message, person.id, !input.remove);
			return seenMessage(world, message);
		},
	),
	/** Shows the person as typing for ten seconds. */
	type: operation(z.object({ as, channel: z.string() }), ({ world }, input): { typing: true } => {
		const person = personOf(world, input.as);
		startTyping(world, channelByName(world, input.channel, person.id), person.id);
		return { typing: true };
	}),
	/** Opens a thread, on a message or (public or private) without one. */
	thread: operation(
		z.object({
			as,
			channel: z.string().optional(),
			message: z.string().optional(),
			name: z.string(),
			private: flag.default(false),
		}),
		({ world }, input): SeenChannel => {
			const person = personOf(world, input.as);
			const on = input.message === undefined ? undefined : messageById(world, input.message, person.id);
			if (on === undefined && input.channel === undefined) {
				throw new ControlError('invalid', 'give a channel or a message');
			}
			const channel = on?.channel ?? channelByName(world, input.channel ?? '', person.id);
			const wish = { name: input.name, type: input.private ? 12 : 11 };
			return seenChannel(world, makeThread(world, channel, person.id, wish, on?.message), person.id);
		},
	),
};
