import { colorNames } from './room/color.ts';

/** A refusal in Home Assistant's own terms. */
export interface Refusal {
	readonly code: string;
	readonly message: string;
}

type Data = Readonly<Record<string, unknown>>;
type FieldCheck = (value: unknown) => boolean;

const between = (low: number, high: number) => (value: unknown) =>
	typeof value === 'number' && Number.isFinite(value) && value >= low && value <= high;
const numbers = (count: number, low: number, high: number) => (value: unknown) =>
	Array.isArray(value) && value.length === count && value.every(between(low, high));

const lightFields: Readonly<Record<string, FieldCheck>> = {
	transition: between(0, 6_553),
	brightness: between(0, 255),
	brightness_pct: between(0, 100),
	rgb_color: numbers(3, 0, 255),
	hs_color: (value) => numbers(2, 0, 360)(value) && Number((value as readonly unknown[])[1]) <= 100,
	color_name: (value) => typeof value === 'string' && colorNames.includes(value),
	color_temp_kelvin: between(1, 100_000),
	flash: (value) => value === 'short' || value === 'long',
};
const colorFields = ['rgb_color', 'hs_color', 'color_name', 'color_temp_kelvin'];
const none: Readonly<Record<string, FieldCheck>> = {};

/** Services by domain, each with the fields it takes besides its target. */
export const services: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, FieldCheck>>>>>> = {
	light: { turn_on: lightFields, turn_off: { transition: lightFields['transition']! }, toggle: lightFields },
	switch: { turn_on: none, turn_off: none, toggle: none },
	homeassistant: { turn_on: none, turn_off: none, toggle: none },
	cover: {
		open_cover: none,
		close_cover: none,
		stop_cover: none,
		toggle: none,
		set_cover_position: { position: between(0, 100) },
		open_cover_tilt: none,
	},
	vacuum: { start: none, pause: none, stop: none, return_to_base: none, locate: none, clean_spot: none },
	button: { press: none },
	script: {
		turn_on: { variables: (value) => typeof value === 'object' },
		turn_off: none,
		toggle: none,
		movie_time: none,
		all_lights_off: none,
	},
};

/** Services that exist for a domain but that no entity of this room supports. */
const unsupported = new Set(['cover.open_cover_tilt', 'vacuum.clean_spot']);

/** Checks a call as Home Assistant's schemas do, before any entity is looked at. */
export function checkCall(domain: string, service: string, data: Data, returnResponse: boolean): Refusal | undefined {
	const fields = Object.hasOwn(services, domain) ? services[domain]?.[service] : undefined;
	if (!fields || !Object.hasOwn(services[domain]!, service)) {
		return { code: 'not_found', message: `Service ${domain}.${service} not found.` };
	}
	if (returnResponse) {
		return {
			code: 'service_validation_error',
			message: `Validation error: ${domain}.${service} does not return a response`,
		};
	}
	for (const [key, value] of Object.entries(data)) {
		const check = Object.hasOwn(fields, key) ? fields[key] : undefined;
		if (!check) {
			return {
				code: 'invalid_format',
				message: `extra keys not allowed @ data['${key}']. Got ${JSON.stringify(value)}`,
			};
		}
		if (!check(value)) {
			return { code: 'invalid_format', message: `not a valid value @ data['${key}']. Got ${JSON.stringify(value)}` };
		}
	}
	if (service === 'set_cover_position' && !('position' in data)) {
		return { code: 'invalid_format', message: "required key not provided @ data['position']. Got None" };
	}
	if (colorFields.filter((key) => key in data).length > 1) {
		return {
			code: 'invalid_format',
			message: "two or more values in the same group of exclusion 'Color descriptors' @ data[<Color descriptors>]",
		};
	}
	return undefined;
}

/** Refuses a service that the named, existing entities have no feature for. */
export function checkSupport(domain: string, service: string, entityIds: readonly string[]): Refusal | undefined {
	const named = entityIds[0];
	if (named === undefined || !unsupported.has(`${domain}.${service}`)) return undefined;
	return {
		code: 'service_validation_error',
		message: `Validation error: Entity ${named} does not support action ${domain}.${service}`,
	};
}

/** The entity ids a call names, from its data and its target; a refusal when it names nothing at all. */
export function namedTargets(serviceData: Data, target: Data): readonly string[] | Refusal {
	const merged = { ...serviceData, ...target };
	const keys = ['entity_id', 'device_id', 'area_id'];
	if (!keys.some((key) => key in merged)) {
		return { code: 'invalid_format', message: 'must contain at least one of entity_id, device_id, area_id.' };
	}
	const named = merged['entity_id'] ?? [];
	const list = typeof named === 'string' ? named.split(',').map((id) => id.trim()) : named;
	const ids = Array.isArray(list) ? list.filter((id): id is string => typeof id === 'string') : [];
	const invalid = ids.find((id) => id !== 'all' && id !== 'none' && !/^[\da-z_]+\.[\da-z_]+$/.test(id.toLowerCase()));
	if (!Array.isArray(list) || ids.length !== list.length || invalid !== undefined) {
		return {
			code: 'invalid_format',
			message: `Entity ID ${invalid ?? JSON.stringify(named)} is an invalid entity ID for dictionary value @ data['entity_id']`,
		};
	}
	return ids.map((id) => id.toLowerCase());
}
