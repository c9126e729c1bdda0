import { z } from 'zod';
import type { HttpDeps } from './deps.ts';
import { roverReport } from './rover-reports.ts';

type Json = Readonly<Record<string, unknown>>;

const json = (schema: Json) => ({ content: { 'application/json': { schema } } });
const reply = (description: string, schema?: Json): Json => ({ description, ...(schema ? json(schema) : {}) });
const page = (summary: string): Json => ({
	get: {
		summary,
		security: [{ login: [] }],
		responses: {
			200: { description: 'The page.', content: { 'text/html': {} } },
			303: { description: 'To the login page.' },
			503: reply('No admin password is set.', { $ref: '#/components/schemas/Failure' }),
		},
	},
});
const failure: Json = {
	type: 'object',
	required: ['error'],
	properties: {
		error: {
			type: 'object',
			required: ['code', 'message'],
			properties: { code: { type: 'string' }, message: { type: 'string' }, hint: { type: 'string' } },
		},
	},
};
const readiness: Json = {
	type: 'object',
	required: ['state', 'parts'],
	properties: {
		state: { enum: ['ready', 'degraded', 'down'] },
		parts: {
			type: 'array',
			items: {
				type: 'object',
				required: ['name', 'required', 'ok'],
				properties: {
					name: { type: 'string' },
					required: { type: 'boolean' },
					ok: { type: 'boolean' },
					detail: { type: 'string' },
					hint: { type: 'string' },
				},
			},
		},
	},
};

/** The HTTP surface as OpenAPI 3.1, with what other parts of the house added. */
export function describeApi({ about, routes = [] }: HttpDeps): Json {
	const failed = (description: string) => reply(description, { $ref: '#/components/schemas/Failure' });
	const name = (label: string): Json => ({ name: label, in: 'path', required: true, schema: { type: 'string' } });
	return {
		openapi: '3.1.0',
		info: { title: about.name(), version: about.version },
		paths: {
			'/healthz': { get: { summary: 'Is this process alive?', responses: { 200: reply('It is.') } } },
			'/readyz': {
				get: {
					summary: 'Can it do its work? Optional parts that are missing degrade it. Details on the same machine only.',
					responses: {
						200: reply('Ready or degraded.', readiness),
						503: reply('A required part is missing.', readiness),
					},
				},
			},
			'/metrics': {
				get: {
					summary: 'Figures for Prometheus. No token is needed on the same machine.',
					security: [{ token: [] }, {}],
					responses: {
						200: { description: 'Figures.', content: { 'text/plain': {} } },
						401: failed('A token is needed.'),
					},
				},
			},
			'/admin': page('The house, live.'),
			'/queues': page('The queues.'),
			'/room/{room}/rovers/{rover}': {
				post: {
					summary: 'A rover reports itself.',
					security: [{ token: [] }],
					parameters: [name('room'), name('rover')],
					requestBody: { required: true, ...json(z.toJSONSchema(roverReport, { io: 'input' }) as Json) },
					responses: {
						200: reply('Taken.'),
						400: failed('Not JSON.'),
						401: failed('The token is missing or another room’s.'),
						404: failed('No such room or rover.'),
						409: failed('The rover is read from Home Assistant.'),
						413: failed('Too large.'),
						422: failed('Not a report.'),
						429: failed('Too many requests.'),
					},
				},
			},
			...Object.assign({}, ...routes.map((route) => route.openapi?.paths ?? {})),
		},
		components: {
			schemas: { Failure: failure },
			securitySchemes: {
				token: { type: 'http', scheme: 'bearer' },
				login: { type: 'apiKey', in: 'cookie', name: 'majordomo_session' },
			},
		},
	};
}
