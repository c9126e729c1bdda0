import { z } from 'zod';
import { intakeErrorCode } from '../../../core/intake/error-code.ts';
import { inboundPacket, outboundPacket } from '../../../core/intake/packet.ts';
import { packetSignature } from '../../../core/intake/packet-signature.ts';
import { INTAKE_STATES } from '../../../core/intake/session.ts';

type Json = Readonly<Record<string, unknown>>;

const body = (schema: Json): Json => ({ 'application/json': { schema } });
const reply = (description: string, schema?: Json): Json => ({
	description,
	...(schema === undefined ? {} : { content: body(schema) }),
});
const schemaOf = (schema: z.ZodType, io: 'input' | 'output' = 'output'): Json => {
	const { $schema, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Record<string, unknown>;
	return rest;
};

/** The machine interface as OpenAPI path items. */
export function cxpPaths(): Json {
	const signature = schemaOf(packetSignature);
	const inbound = schemaOf(inboundPacket.extend({ signature: packetSignature.optional() }), 'input');
	const packet: Json = {
		description:
			'A packet. It carries `signature` when the caller has a key: HMAC-SHA-256 over the canonical JSON (keys sorted, no blanks) of the packet with its signature, `value` left out.',
		allOf: [schemaOfPackets(), { type: 'object', properties: { signature } }],
	};
	const refused = (codes: string): Json => reply(`Error packet ${codes}.`, packet);
	const security = [{ token: [] }];
	const id: Json = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
	const after: Json = { name: 'after', in: 'query', schema: { type: 'integer', minimum: 0, default: 0 } };
	const gone = {
		401: refused('E03: no known bearer token'),
		404: refused('E04: no such session of this caller'),
		429: refused('E03: too many requests'),
		503: reply(
			'The assistant is unavailable: subject `unavailable`, code `assistant_unavailable`, and the reason.',
			packet,
		),
	};
	return {
		'/cxp': {
			post: {
				summary:
					'Hand in a packet: subject intent begins an intake, response (with sessionId) answers its questions. The answer is the next packet, or 202 and where to fetch it. The same id again is taken once.',
				security,
				requestBody: { required: true, content: body(inbound) },
				responses: {
					200: reply('The next packet: questions, or the requirements as they were handed to U:BA.', packet),
					202: reply('Taken; the next packet takes longer. Fetch it at `poll` or hear it at `stream`.', {
						type: 'object',
						required: ['status', 'sessionId', 'poll', 'stream'],
						properties: {
							status: { const: 'working' },
							sessionId: { type: 'string' },
							poll: { type: 'string' },
							stream: { type: 'string' },
						},
					}),
					400: refused('E01: not a packet'),
					401: gone[401],
					403: refused('E03: source not allowed, signature missing, wrong, too old, or used before'),
					409: refused('E04: response without intent; E07: already finished or cancelled'),
					413: refused('E06: too long'),
					422: refused('E02: unknown subject; E05: empty body; E13: denied by governance'),
					429: gone[429],
					500: refused('E15: the stored state was damaged'),
					502: refused('E10: the model gave nothing usable'),
					503: reply(
						'Unavailable packet with code `assistant_unavailable` and the reason, or error E09 or E14.',
						packet,
					),
					504: refused('E08: the model did not answer in time'),
				},
			},
		},
		'/cxp/sessions/{id}': {
			get: {
				summary: 'Where an intake stands.',
				security,
				parameters: [id],
				responses: { 200: reply('State, round and dimensions.', stateSchema()), ...gone },
			},
			delete: {
				summary: 'Cancel an intake. What was handed over stays handed over.',
				security,
				parameters: [id],
				responses: { 200: reply('Its state now.', stateSchema()), ...gone },
			},
		},
		'/cxp/sessions/{id}/packets': {
			get: {
				summary: 'Everything the intake said after a number.',
				security,
				parameters: [id, after],
				responses: {
					200: reply('Answers, oldest first.', {
						type: 'object',
						required: ['sessionId', 'state', 'answers', 'after'],
						properties: {
							sessionId: { type: 'string' },
							state: { enum: [...INTAKE_STATES] },
							after: { type: 'integer', description: 'Number to ask from next time.' },
							answers: {
								type: 'array',
								items: {
									type: 'object',
									required: ['seq', 'kind'],
									properties: {
										seq: { type: 'integer' },
										kind: { enum: ['packet', 'notice', 'reading'] },
										packet,
										code: { type: 'string', description: 'Of a notice.' },
										reading: { type: 'object', description: 'What the business analyst made of the packet.' },
									},
								},
							},
						},
					}),
					...gone,
				},
			},
		},
		'/cxp/sessions/{id}/stream': {
			get: {
				summary: 'The same, as it happens. Last-Event-ID goes on where a broken stream ended.',
				security,
				parameters: [id, after],
				responses: { 200: { description: 'Events.', content: { 'text/event-stream': {} } }, ...gone },
			},
		},
	};

	function schemaOfPackets(): Json {
		return { ...schemaOf(outboundPacket), 'x-error-codes': intakeErrorCode.options };
	}
}

function stateSchema(): Json {
	return {
		type: 'object',
		required: ['sessionId', 'state'],
		properties: {
			sessionId: { type: 'string' },
			state: { enum: [...INTAKE_STATES] },
			round: { type: 'integer' },
			questionSets: { type: 'integer' },
			dimensions: { type: 'object' },
			createdAt: { type: 'number' },
			updatedAt: { type: 'number' },
			lastError: { type: 'object' },
		},
	};
}
