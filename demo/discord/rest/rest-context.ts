import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { CommandRegistry } from '../commands/command-registry.ts';
import { refusal } from '../discord-error.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { InteractionStore } from '../interactions/interaction-store.ts';
import type { MessageBody } from '../messages/message-body.ts';
import type { BotApplication, Channel } from '../state/model.ts';
import { canView } from '../state/permissions.ts';
import type { World } from '../state/world.ts';
import type { RateLimits } from './rate-limits.ts';
import type { ParsedBody } from './request-body.ts';
import type { RequestLog } from './request-log.ts';
import type { RestFaults } from './rest-faults.ts';

/** What the REST routes work on. */
export interface RestServices {
	world: World;
	commands: CommandRegistry;
	interactions: InteractionStore;
	gateway: Gateway;
	rateLimits: RateLimits;
	requests: RequestLog;
	faults: RestFaults;
}

export interface RestEnv {
	Bindings: HttpBindings;
	Variables: { application: BotApplication | undefined; body: ParsedBody };
}

export type RestContext = Context<RestEnv>;

/** The bot that asks. Throws 401 without a valid token. */
export function caller(c: RestContext): BotApplication {
	const application = c.get('application');
	if (application === undefined) throw refusal('unauthorized');
	return application;
}

/** A path parameter by name; routes are declared with it. */
export function param(c: RestContext, name: string): string {
	return c.req.param(name) ?? '';
}

/** The channel of the path. Throws 10003 when unknown, 50001 when the bot may not see it. */
export function channelOf(c: RestContext, world: World): Channel {
	const channel = world.channels.get(param(c, 'channel'));
	if (channel === undefined) throw refusal('unknownChannel');
	if (!canView(world, caller(c).id, channel)) throw refusal('missingAccess');
	return channel;
}

export function jsonOf<T extends object>(c: RestContext): T {
	return c.get('body').json as T;
}

export function messageBodyOf(c: RestContext): MessageBody {
	const { json, files } = c.get('body');
	return { ...(json as Omit<MessageBody, 'files'>), files };
}

/** 204; Discord sends no content type with it, and discord.js would try to parse one. */
export function noContent(c: RestContext): Response {
	return c.body(null, 204);
}
