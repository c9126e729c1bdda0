import { z } from 'zod';
import { inboxItem } from '../../../core/fleet/inbox-item.ts';
import { sessionReport } from '../../../core/fleet/report.ts';
import { BATCH_MAX } from './read-batch.ts';

type Json = Readonly<Record<string, unknown>>;

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
	const { $schema, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Record<string, unknown>;
	return rest;
};
const body = (schema: Json): Json => ({ 'application/json': { schema } });
const reply = (description: string, schema?: Json): Json => ({
	description,
	...(schema === undefined ? {} : { content: body(schema) }),
});
const object = (properties: Json, required: readonly string[]): Json => ({ type: 'object', properties, required });
const list = (items: Json): Json => ({ type: 'array', items });
const text: Json = { type: 'string' };
const whole: Json = { type: 'integer', minimum: 0 };

/** The fleet's machine interface as OpenAPI path items. */
export function fleetPaths(): Json {
	const security = [{ token: [] }];
	const id: Json = { name: 'id', in: 'path', required: true, schema: text };
	const query = (name: string, description: string): Json => ({ name, in: 'query', description, schema: whole });
	const refusals = {
		401: reply('No known bearer token.'),
		429: reply('Too many requests; Retry-After says when to come again.'),
		503: reply('Could not be kept now. Send it again under the same ids.'),
	};
	const session = object(
		{ sessionId: text, nativeId: text, name: text, lastReport: whole, isNew: { type: 'boolean' } },
		['sessionId'],
	);
	const refused = object({ index: whole, eventId: text, problems: list(text) }, ['index', 'problems']);
	const gone = { ...refusals, 404: reply('This host has no such session.') };
	return {
		'/fleet/events': {
			post: {
				summary:
					'Report what happened in coding-agent sessions of this host. The same source and eventId again changes nothing; one bad event does not spoil the others.',
				security,
				requestBody: {
					required: true,
					content: body(
						object(
							{
								source: { type: 'string', pattern: '^[a-z][a-z0-9-]{0,39}$' },
								events: { ...list(schemaOf(sessionReport, 'input')), minItems: 1, maxItems: BATCH_MAX },
							},
							['source', 'events'],
						),
					),
				},
				responses: {
					200: reply(
						'What was kept (known: kept earlier already), what was refused and why, and the sessions with the highest report number seen.',
						object({ kept: list(text), known: list(text), refused: list(refused), sessions: list(session) }, [
							'kept',
							'known',
							'refused',
							'sessions',
						]),
					),
					422: reply('Nothing of it can be used.'),
					...refusals,
				},
			},
		},
		'/fleet/sessions/{id}/inbox': {
			get: {
				summary: 'Messages and answers on their way into a session, oldest first. Waits for the first one if asked to.',
				security,
				parameters: [id, query('after', 'Items above this number.'), query('wait', 'Milliseconds to wait at most.')],
				responses: {
					200: reply(
						'The items; none when the time is over.',
						object({ items: list(schemaOf(inboxItem, 'output')) }, ['items']),
					),
					...gone,
				},
			},
		},
		'/fleet/sessions/{id}/ack': {
			post: {
				summary: 'The session has everything up to this number; people then see it as delivered.',
				security,
				parameters: [id],
				requestBody: { required: true, content: body(object({ seq: whole }, ['seq'])) },
				responses: { 200: reply('Done.', object({ acknowledged: whole }, ['acknowledged'])), ...gone },
			},
		},
		'/fleet/sessions/{id}/refuse': {
			post: {
				summary: 'The agent did not take this item. Say so before acknowledging it: people see why and can try again.',
				security,
				parameters: [id],
				requestBody: { required: true, content: body(object({ itemId: text, why: text }, ['itemId', 'why'])) },
				responses: { 200: reply('Done.', object({ refused: { type: 'boolean' } }, ['refused'])), ...gone },
			},
		},
	};
}
