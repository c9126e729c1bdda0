import type { OverseerSettings } from '../../config/overseer.ts';
import type { RoomSettings } from '../../config/rooms.ts';
import type { WorldView } from '../overseer/world.ts';
import { nameArguments } from './argument-keys.ts';
import { decodeArguments } from './decode-arguments.ts';
import { readColor } from './lamp-color.ts';
import { type Candidate, resolveEntity } from './resolve-entity.ts';
import { type PreparedCall, toolArguments } from './tool-arguments.ts';
import { isToolName, type ToolName } from './tool-name.ts';

/** What arguments are read against: the configured room is the allowlist, the world only lends names and abilities. */
export interface Scene {
	readonly room: RoomSettings;
	readonly world: WorldView;
	readonly settings: OverseerSettings;
}

export type Preparation =
	/** `notes` say what was dropped on the way. */
	| { readonly ok: true; readonly call: PreparedCall; readonly notes: readonly string[] }
	/** `summary` is one line of our own words that names what would be right. */
	| {
			readonly ok: false;
			readonly code: 'invalid_args' | 'unknown_tool' | 'ambiguous' | 'not_allowed';
			readonly summary: string;
	  };

type Values = ReadonlyMap<string, unknown>;
type Loose = { args: Record<string, unknown> } | { code: 'invalid_args' | 'ambiguous' | 'not_allowed'; why: string };

/**
 * Turns what a model wrote into an exact call, or into a refusal that says what is wrong. Forgiving in form (text for
 * numbers, names for ids, JSON in JSON), never in reach: whatever comes in, the entity is one of the room's own.
 */
export function prepareCall(tool: string, raw: unknown, scene: Scene): Preparation {
	if (!isToolName(tool)) return { ok: false, code: 'unknown_tool', summary: 'there is no such tool' };
	const refuse = (code: 'invalid_args' | 'ambiguous' | 'not_allowed', why: string): Preparation => {
		return { ok: false, code, summary: `${tool}: ${why}` };
	};
	const decoded = decodeArguments(raw);
	if (!decoded.ok) return refuse('invalid_args', decoded.why);
	const named = nameArguments(tool, decoded.values);
	if (!named.ok) return refuse(named.code, named.why);
	const loose = (readers[tool] ?? asIs)(named.values, scene);
	if ('code' in loose) return refuse(loose.code, loose.why);
	const parsed = toolArguments[tool].safeParse(loose.args);
	if (!parsed.success) {
		const issues = parsed.error.issues
			.slice(0, 3)
			.map((issue) => `${issue.path.join('.') || 'arguments'}: ${issue.message}`);
		return refuse('invalid_args', issues.join('; '));
	}
	return { ok: true, call: { tool, args: parsed.data } as PreparedCall, notes: named.notes };
}

const asIs = (values: Values): Loose => ({ args: Object.fromEntries(values) });

const readers: Readonly<Partial<Record<ToolName, (values: Values, scene: Scene) => Loose>>> = {
	ha_set_entity(values, { room, world }) {
		const found = resolveEntity(values.get('entity_id'), lamps(room, world));
		if (!found.ok) return found;
		return { args: { entity_id: found.entityId, state: readSwitch(values.get('state')) } };
	},
	ha_set_light(values, { room, world }) {
		const found = resolveEntity(values.get('entity_id'), lamps(room, world));
		if (!found.ok) return found;
		const view = world.lights.find((item) => item.entityId === found.entityId);
		// A lamp that is gone is not judged here: that it is gone is the better reason.
		const modes = view?.available === true ? view.colorModes : undefined;
		return readLight(found.entityId, values, modes);
	},
	ha_run_script(values, { room, world }) {
		const scripts = room.scripts.filter((item) => item.entityId.startsWith('script.'));
		const known = scripts.map((item) => ({ ...item, friendlyName: labelOf(item.entityId, world) }));
		const found = resolveEntity(values.get('script'), known);
		return found.ok ? { args: { script: found.entityId } } : found;
	},
	memory_write: (values) => ({ args: { ...Object.fromEntries(values), slot: readInteger(values.get('slot')) } }),
	button_box_adjust(values, { settings, room }) {
		const button = readInteger(values.get('button'));
		const amount = readInteger(values.get('amount'));
		const buttons = room.buttonBoxEntityIds?.length ?? 0;
		if (typeof button === 'number' && button > buttons)
			return { code: 'not_allowed', why: `buttons are 1 to ${buttons}` };
		const most = settings.buttonBox.maxAmount;
		if (typeof amount === 'number' && Math.abs(amount) > most) {
			return { code: 'invalid_args', why: `amount is ${-most} to ${most}` };
		}
		return { args: { button, amount } };
	},
};

function readLight(entityId: string, values: Values, modes: readonly string[] | undefined): Loose {
	const args: Record<string, unknown> = { entity_id: entityId };
	const invalid = (why: string): Loose => ({ code: 'invalid_args', why });
	const hue = values.get('color') ?? kelvinText(values.get('kelvin'));
	if (values.has('brightness')) {
		if (modes !== undefined && !modes.some((mode) => mode !== 'onoff' && mode !== 'unknown')) {
			return invalid('this lamp can only be on or off');
		}
		args['brightness'] = readPercent(values.get('brightness'));
	}
	if (hue !== undefined) {
		const read = readColor(hue, modes);
		if (!read.ok) return invalid(read.why);
		args['color'] = read.color;
	}
	return Object.keys(args).length > 1 ? { args } : invalid('give brightness (1 to 100 percent) or color');
}

function lamps(room: RoomSettings, world: WorldView): Candidate[] {
	return room.lights.map(({ entityId, label }) => {
		const friendlyName = world.lights.find((item) => item.entityId === entityId)?.friendlyName;
		return friendlyName === undefined ? { entityId, label } : { entityId, label, friendlyName };
	});
}

function labelOf(entityId: string, world: WorldView): string | undefined {
	return world.scripts.find((item) => item.entityId === entityId)?.label;
}

/** `on`, `off`, true, false; anything else is left for the schema to refuse. */
function readSwitch(given: unknown): unknown {
	if (typeof given === 'boolean') return given ? 'on' : 'off';
	if (typeof given !== 'string') return given;
	const word = given.trim().toLowerCase();
	return word === 'true' ? 'on' : word === 'false' ? 'off' : word;
}

function readInteger(given: unknown): unknown {
	return typeof given === 'string' && /^[+-]?\d{1,6}$/.test(given.trim()) ? Number(given.trim()) : given;
}

function readPercent(given: unknown): unknown {
	const text = typeof given === 'string' ? /^(\d{1,3})\s*%?$/.exec(given.trim()) : null;
	return text ? Number(text[1]) : typeof given === 'number' ? Math.round(given) : given;
}

function kelvinText(given: unknown): unknown {
	return typeof given === 'number' || (typeof given === 'string' && /^\d+$/.test(given.trim())) ? `${given}K` : given;
}
