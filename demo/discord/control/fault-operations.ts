import { z } from 'zod';
import { createGatewayFaults, type GatewayFaults } from '../gateway/gateway-faults.ts';
import type { ArmedFault } from '../rest/rest-faults.ts';
import { deleteChannel } from '../state/guild-changes.ts';
import { archiveQuietThreads } from '../threads/thread-state.ts';
import { botOf } from './lookups.ts';
import { type ControlServices, flag, number, operation } from './operation.ts';

const target = (services: ControlServices, bot: string | undefined): string | undefined =>
	bot === undefined ? undefined : botOf(services.world, bot).id;

export const faultOperations = {
	/** Makes matching REST requests go wrong; answers with the fault's id. */
	restFault: operation(
		z.object({
			method: z
				.string()
				.transform((text) => text.toUpperCase())
				.optional(),
			path: z.string().optional(),
			kind: z.enum(['rate-limit', 'error', 'latency', 'hang', 'drop']),
			times: number.optional(),
			status: number.optional(),
			code: number.optional(),
			message: z.string().optional(),
			retryAfterMs: number.optional(),
			global: flag.optional(),
			scope: z.enum(['user', 'shared', 'global']).optional(),
			withoutHeaders: flag.optional(),
			delayMs: number.optional(),
			afterEffect: flag.optional(),
		}),
		({ faults }, input): ArmedFault => faults.add(input),
	),
	faults: operation(z.object({}), ({ faults, gateway }): { rest: ArmedFault[]; gateway: GatewayFaults } => ({
		rest: [...faults.list()],
		gateway: gateway.faults,
	})),
	/** Takes back one REST fault by id, or all REST and gateway faults. */
	clearFaults: operation(z.object({ id: number.optional() }), ({ faults, gateway }, input): { cleared: true } => {
		if (input.id === undefined) {
			faults.clear();
			Object.assign(gateway.faults, createGatewayFaults());
		} else {
			faults.remove(input.id);
		}
		return { cleared: true };
	}),
	/** Does something to the open gateway connections; answers how many it hit. */
	gateway: operation(
		z.object({
			action: z.enum(['close', 'drop', 'reconnect', 'invalid-session']),
			bot: z.string().optional(),
			/** `close`: the close code, 4000 by default. */
			code: number.default(4000),
			/** `invalid-session`: whether the session may be resumed. */
			resumable: flag.default(false),
		}),
		(services, input): { hit: number } => {
			const { gateway } = services;
			const id = target(services, input.bot);
			switch (input.action) {
				case 'close':
					return { hit: gateway.close(input.code, id) };
				case 'drop':
					return { hit: gateway.drop(id) };
				case 'reconnect':
					return { hit: gateway.requestReconnect(id) };
				default:
					return { hit: gateway.invalidate(input.resumable, id) };
			}
		},
	),
	/** Sets how the gateway misbehaves from now on; what is left out stays. */
	gatewayFaults: operation(
		z.object({
			resume: z.enum(['normal', 'refuse', 'refuse-resumable', 'ignore']).optional(),
			identify: z.enum(['normal', 'refuse', 'ignore']).optional(),
			stallHeartbeats: flag.optional(),
			stallEvents: flag.optional(),
			refuseConnections: flag.optional(),
		}),
		({ gateway }, input): GatewayFaults => Object.assign(gateway.faults, input),
	),
	rateLimits: operation(
		z.object({ mode: z.enum(['relaxed', 'discord']) }),
		({ rateLimits }, input): { mode: string } => {
			rateLimits.setMode(input.mode);
			return { mode: input.mode };
		},
	),
	/** Moves this server's clock forward: interaction deadlines, typing, auto-archive, ids. */
	clock: operation(z.object({ advanceMs: number.default(0) }), ({ world }, input): { nowMs: number } => {
		world.advance(Math.max(0, input.advanceMs));
		archiveQuietThreads(world);
		return { nowMs: world.now() };
	}),
	/** Messages, threads, faults and the request log go; roles, members and permissions are as at the start. */
	reset: operation(z.object({}), (services): { reset: true } => {
		const { world, faults, gateway, requests, rateLimits } = services;
		faults.clear();
		Object.assign(gateway.faults, createGatewayFaults());
		rateLimits.reset();
		for (const channel of [...world.channels.values()]) {
			if (channel.thread !== undefined) deleteChannel(world, channel);
			channel.messageIds = [];
		}
		world.messages.clear();
		world.files.clear();
		world.typing.clear();
		services.restore();
		requests.clear();
		return { reset: true };
	}),
};
