type Rgb = readonly [number, number, number];

const named: Readonly<Record<string, Rgb>> = {
	red: [255, 0, 0],
	green: [0, 128, 0],
	blue: [0, 0, 255],
	white: [255, 255, 255],
	yellow: [255, 255, 0],
	orange: [255, 165, 0],
	purple: [128, 0, 128],
	pink: [255, 192, 203],
	cyan: [0, 255, 255],
};

export const colorNames: readonly string[] = Object.keys(named);

/** Converts hue (degrees) and saturation (percent) to full-value RGB. */
function hsToRgb(hue: number, saturation: number): Rgb {
	const level = (offset: number) => {
		const k = (offset + hue / 60) % 6;
		const drop = (saturation / 100) * Math.max(0, Math.min(k, 4 - k, 1));
		return Math.round(255 * (1 - drop));
	};
	return [level(5), level(3), level(1)];
}

/** Hue and saturation of a colour, one decimal each, as Home Assistant reports them beside `rgb_color`. */
export function rgbToHs([red, green, blue]: Rgb): readonly [number, number] {
	const top = Math.max(red, green, blue);
	const spread = top - Math.min(red, green, blue);
	if (spread === 0) return [0, 0];
	const sector =
		top === red
			? ((green - blue) / spread) % 6
			: top === green
				? (blue - red) / spread + 2
				: (red - green) / spread + 4;
	const hue = (sector * 60 + 360) % 360;
	return [Math.round(hue * 10) / 10, Math.round((spread / top) * 1_000) / 10];
}

/** A rough black-body tint, good enough to look at. */
function kelvinToRgb(kelvin: number): Rgb {
	const warmth = Math.min(1, Math.max(0, (6_500 - kelvin) / 4_500));
	return [255, Math.round(255 - 75 * warmth), Math.round(255 - 165 * warmth)];
}

/** The colour a `light.turn_on` asks for, or undefined when it asks for none. Data must already be validated. */
export function requestedColor(data: Readonly<Record<string, unknown>>): Rgb | undefined {
	const rgb = data['rgb_color'];
	if (Array.isArray(rgb)) return [Number(rgb[0]), Number(rgb[1]), Number(rgb[2])];
	const hs = data['hs_color'];
	if (Array.isArray(hs)) return hsToRgb(Number(hs[0]), Number(hs[1]));
	const name = data['color_name'];
	if (typeof name === 'string') return named[name];
	const kelvin = data['color_temp_kelvin'];
	return typeof kelvin === 'number' ? kelvinToRgb(kelvin) : undefined;
}
