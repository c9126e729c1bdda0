import type { JsonSchema } from '../../core/model/model-port.ts';

const NESTED = ['items', 'additionalItems', 'not'] as const;
const NESTED_LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const;
const NESTED_MAPS = ['properties', '$defs', 'definitions'] as const;

/**
 * Does the schema name every property an object may hold? Only such schemas can be enforced strictly: strict modes
 * close every object, so one with free keys would always come back empty.
 */
export function isClosedSchema(schema: unknown): boolean {
	if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return false;
	const node: JsonSchema = { ...schema };
	const isCombined = NESTED_LISTS.some((key) => Array.isArray(node[key]));
	const isLiteral = 'const' in node || 'enum' in node || '$ref' in node;
	if (!isCombined && !isLiteral && typeof node['type'] !== 'string') return false;
	if (node['type'] === 'object') {
		const properties = node['properties'];
		const named = typeof properties === 'object' && properties !== null && Object.keys(properties).length > 0;
		if (node['additionalProperties'] !== false && (!named || 'additionalProperties' in node)) return false;
	}
	if (node['type'] === 'array' && !('items' in node)) return false;
	return (
		NESTED.every((key) => !(key in node) || isClosedSchema(node[key])) &&
		NESTED_LISTS.every((key) => asList(node[key]).every(isClosedSchema)) &&
		NESTED_MAPS.every((key) => Object.values(asMap(node[key])).every(isClosedSchema))
	);
}

function asList(value: unknown): unknown[] {
	return Array.isArray(value) ? value : [];
}

function asMap(value: unknown): object {
	return typeof value === 'object' && value !== null ? value : {};
}
