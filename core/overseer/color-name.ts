type Rgb = readonly [number, number, number];

/** Hue ranges in degrees, upper end excluded; red closes the circle. */
const HUES: readonly (readonly [number, string])[] = [
	[15, 'red'],
	[42, 'orange'],
	[68, 'yellow'],
	[160, 'green'],
	[200, 'cyan'],
	[255, 'blue'],
	[288, 'purple'],
	[325, 'magenta'],
	[345, 'pink'],
	[361, 'red'],
];

/** Below this saturation (percent) a lamp looks white. */
const WHITE_BELOW = 15;
/** Reds and magentas this pale are called pink. */
const PINK_BELOW = 60;

/** Everyday name of a hue (degrees) and saturation (percent). */
export function hueName(hue: number, saturation: number): string {
	if (saturation < WHITE_BELOW) return 'white';
	const turned = ((hue % 360) + 360) % 360;
	const name = HUES.find(([end]) => turned < end)?.[1] ?? 'red';
	return (name === 'red' || name === 'magenta') && saturation < PINK_BELOW ? 'pink' : name;
}

/** Everyday name of the colour that a light reports; undefined when it reports none. */
export function colorName(attributes: Readonly<Record<string, unknown>>): string | undefined {
	const mode = attributes['color_mode'];
	const kelvin = attributes['color_temp_kelvin'];
	if (mode === 'color_temp' && typeof kelvin === 'number') return whiteName(kelvin);
	const hs = numbers(attributes['hs_color'], 2);
	if (hs !== undefined) return hueName(hs[0] as number, hs[1] as number);
	const rgb = numbers(attributes['rgb_color'], 3);
	if (rgb !== undefined) return hueName(...hueOf(rgb as unknown as Rgb));
	return typeof kelvin === 'number' ? whiteName(kelvin) : undefined;
}

function whiteName(kelvin: number): string {
	if (kelvin < 3_500) return 'warm white';
	return kelvin > 5_000 ? 'cool white' : 'white';
}

function numbers(value: unknown, count: number): readonly number[] | undefined {
	if (!Array.isArray(value) || value.length < count) return undefined;
	return value.slice(0, count).every((entry) => typeof entry === 'number' && Number.isFinite(entry))
		? value
		: undefined;
}

function hueOf([red, green, blue]: Rgb): [number, number] {
	const top = Math.max(red, green, blue);
	const spread = top - Math.min(red, green, blue);
	if (spread <= 0) return [0, 0];
	if (top === red) return [((green - blue) / spread) * 60, (spread / top) * 100];
	if (top === green) return [(2 + (blue - red) / spread) * 60, (spread / top) * 100];
	return [(4 + (red - green) / spread) * 60, (spread / top) * 100];
}
