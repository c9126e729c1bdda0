import { expect, test } from 'vitest';
import { isClosedSchema } from '../../../../adapters/model/closed-schema.ts';

const closed = (properties: object) => ({ type: 'object', properties, additionalProperties: false });

test.each([
	[closed({})],
	[closed({ a: { type: 'string' }, b: { type: 'array', items: closed({ c: { enum: [1] } }) } })],
	[{ anyOf: [closed({ a: { const: 'x' } }), { type: 'null' }] }],
	[{ $defs: { a: closed({}) }, type: 'object', properties: { a: { $ref: '#/$defs/a' } } }],
	[{ type: 'object', properties: { a: { type: 'string' } } }],
])('closed: %j', (schema) => expect(isClosedSchema(schema)).toBe(true));

test.each([
	[{ type: 'object' }],
	[{ type: 'object', properties: {} }],
	[{ type: 'object', properties: { a: { type: 'string' } }, additionalProperties: true }],
	[{ type: 'object', properties: { a: { type: 'string' } }, additionalProperties: { type: 'string' } }],
	[closed({ args: { type: 'object' } })],
	[closed({ list: { type: 'array', items: { type: 'object' } } })],
	[closed({ list: { type: 'array' } })],
	[{ anyOf: [closed({}), { type: 'object' }] }],
	[closed({ any: {} })],
	[true],
	[null],
	['text'],
])('open: %j', (schema) => expect(isClosedSchema(schema)).toBe(false));
