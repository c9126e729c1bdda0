import type { RoomSettings } from '../config/rooms.ts';
import { domainOf, type EntityState } from '../core/home/entity.ts';
import type { LampColor, ToolArguments } from '../core/tooling/tool-arguments.ts';

type Wanted = ToolArguments['ha_set_light'];

export function lampDomain(entityId: string): 'light' | 'switch' | undefined {
	const domain = domainOf(entityId);
	return domain === 'light' || domain === 'switch' ? domain : undefined;
}

/** What people call a configured lamp or script. */
export function labelOf(room: RoomSettings, entityId: string): string {
	return [...room.lights, ...room.scripts].find((item) => item.entityId === entityId)?.label ?? entityId;
}

/** The lamp's own limits on a colour temperature. */
export function withinLamp(color: LampColor | undefined, state: EntityState | undefined): LampColor | undefined {
	if (color === undefined || !('kelvin' in color)) return color;
	const limit = (name: string, otherwise: number) => {
		const value = state?.attributes[name];
		return typeof value === 'number' && value > 0 ? value : otherwise;
	};
	const least = limit('min_color_temp_kelvin', color.kelvin);
	const most = limit('max_color_temp_kelvin', color.kelvin);
	return { kelvin: Math.round(Math.min(Math.max(color.kelvin, least), most)) };
}

/** Service fields: one colour form only, percent for brightness. */
export function lampFields(wanted: Wanted): Record<string, unknown> {
	const { brightness, color } = wanted;
	return {
		...(brightness !== undefined && { brightness_pct: brightness }),
		...(color && ('rgb' in color ? { rgb_color: [...color.rgb] } : { color_temp_kelvin: color.kelvin })),
	};
}

/** Does the lamp show what was asked? Lamps round: a little off is the same light. */
export function lampShows(state: EntityState | undefined, { brightness, color }: Wanted): boolean {
	if (state?.state !== 'on') return false;
	const { attributes } = state;
	if (brightness !== undefined) {
		const level = attributes['brightness'];
		if (typeof level !== 'number' || Math.abs(level / 2.55 - brightness) > 3) return false;
	}
	if (color === undefined) return true;
	if ('kelvin' in color) {
		const kelvin = attributes['color_temp_kelvin'];
		return typeof kelvin === 'number' && Math.abs(kelvin - color.kelvin) <= Math.max(100, color.kelvin * 0.06);
	}
	const shown = attributes['rgb_color'];
	if (!Array.isArray(shown) || shown.length !== 3 || !shown.every((part) => typeof part === 'number')) return false;
	const wanted = fullBright(color.rgb);
	return fullBright(shown).every((part, index) => Math.abs(part - (wanted[index] ?? 0)) <= 30);
}

/** Brightness taken out of a mix, since lamps keep it apart. */
function fullBright(rgb: readonly number[]): number[] {
	const most = Math.max(...rgb, 1);
	return rgb.map((part) => (part * 255) / most);
}
