import type { LampColor } from './tool-arguments.ts';

type Rgb = [number, number, number];

const named: Readonly<Record<string, Rgb>> = {
	red: [255, 0, 0],
	crimson: [220, 20, 60],
	scarlet: [255, 36, 0],
	orange: [255, 140, 0],
	amber: [255, 191, 0],
	gold: [255, 215, 0],
	yellow: [255, 255, 0],
	lime: [128, 255, 0],
	green: [0, 255, 0],
	mint: [62, 255, 160],
	teal: [0, 128, 128],
	turquoise: [64, 224, 208],
	cyan: [0, 255, 255],
	aqua: [0, 255, 255],
	azure: [0, 127, 255],
	blue: [0, 0, 255],
	navy: [0, 0, 128],
	indigo: [75, 0, 130],
	violet: [143, 0, 255],
	purple: [128, 0, 255],
	lavender: [190, 150, 255],
	magenta: [255, 0, 255],
	fuchsia: [255, 0, 255],
	pink: [255, 105, 180],
	rose: [255, 0, 127],
	salmon: [250, 128, 114],
	coral: [255, 127, 80],
};

/** Whites have a temperature; the other numbers are for lamps that only mix colours. */
const whites: Readonly<Record<string, { kelvin: number; rgb: Rgb }>> = {
	candle: { kelvin: 2_000, rgb: [255, 147, 41] },
	candlelight: { kelvin: 2_000, rgb: [255, 147, 41] },
	'warm white': { kelvin: 2_700, rgb: [255, 214, 170] },
	'soft white': { kelvin: 3_000, rgb: [255, 222, 190] },
	white: { kelvin: 4_000, rgb: [255, 255, 255] },
	'neutral white': { kelvin: 4_000, rgb: [255, 250, 244] },
	'cool white': { kelvin: 5_500, rgb: [235, 243, 255] },
	'cold white': { kelvin: 6_000, rgb: [225, 235, 255] },
	daylight: { kelvin: 6_500, rgb: [220, 232, 255] },
};

const colorModes: ReadonlySet<string> = new Set(['hs', 'rgb', 'rgbw', 'rgbww', 'xy']);

export type ReadColor = { readonly ok: true; readonly color: LampColor } | { readonly ok: false; readonly why: string };

/**
 * Reads a colour as a lamp with these modes can show it: a name, `#rrggbb`, three numbers 0–255, or `2700K`. A lamp is
 * never told a form that it has not. `modes` undefined: not known, then the natural form is taken.
 */
export function readColor(given: unknown, modes: readonly string[] | undefined): ReadColor {
	const canMix = modes === undefined || modes.some((mode) => colorModes.has(mode));
	const canWarm = modes === undefined || modes.includes('color_temp');
	const unable = (why: string): ReadColor => ({ ok: false, why });
	const kelvin = readKelvin(given);
	if (kelvin !== undefined) {
		if (kelvin < 1_500 || kelvin > 9_000) return unable('kelvin is 1500 to 9000');
		return canWarm ? { ok: true, color: { kelvin } } : unable('this lamp has no colour temperature');
	}
	const word =
		typeof given === 'string'
			? given
					.trim()
					.toLowerCase()
					.replace(/[\s_-]+/g, ' ')
			: '';
	const white = Object.hasOwn(whites, word) ? whites[word] : undefined;
	if (white !== undefined) {
		if (canWarm) return { ok: true, color: { kelvin: white.kelvin } };
		return canMix ? { ok: true, color: { rgb: white.rgb } } : unable('this lamp has no colours');
	}
	const rgb = Object.hasOwn(named, word) ? named[word] : (readHex(word) ?? readTriple(given));
	if (rgb === undefined) return unable('color is a name such as red or warm white, #rrggbb, or 2700K');
	return canMix ? { ok: true, color: { rgb } } : unable('this lamp has no colours');
}

function readKelvin(given: unknown): number | undefined {
	const match = typeof given === 'string' ? /^(\d{3,5})\s*k(?:elvin)?$/i.exec(given.trim()) : null;
	return match ? Number(match[1]) : undefined;
}

function readHex(word: string): Rgb | undefined {
	const digits = /^#?([0-9a-f]{6})$|^#([0-9a-f]{3})$/.exec(word);
	const text = digits?.[1] ?? digits?.[2]?.replace(/./g, '$&$&');
	if (text === undefined) return undefined;
	return [0, 2, 4].map((start) => Number.parseInt(text.slice(start, start + 2), 16)) as Rgb;
}

function readTriple(given: unknown): Rgb | undefined {
	if (!Array.isArray(given) || given.length !== 3) return undefined;
	return given.every((item) => Number.isInteger(item) && item >= 0 && item <= 255) ? (given as Rgb) : undefined;
}
