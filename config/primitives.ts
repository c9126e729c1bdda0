import { z } from 'zod';

/** Discord id: 17 to 20 digits, kept as text because it does not fit a JavaScript number. */
export const snowflake = z
	.string('write the id in quotes, a bare number loses its last digits')
	.regex(/^\d{17,20}$/, 'a Discord id: 17 to 20 digits in quotes (right-click, Copy ID)')
	.meta({ examples: ['123456789012345678'] });

/** Name used in keys, queues and URLs. */
export const slug = z
	.string()
	.regex(
		/^[a-z0-9][a-z0-9_-]{0,39}$/,
		'lower-case letters, digits, _ and -, at most 40, starting with a letter or digit',
	);

/** Home Assistant entity id, e.g. `light.shelf`. */
export const entityId = z.string().regex(/^[a-z_]+\.[a-z0-9_]+$/, 'a Home Assistant entity id such as light.shelf');

export const milliseconds = z.int().min(0);

/** IANA time zone that this machine knows. */
export const timeZone = z.string().refine(
	(zone) => {
		try {
			return zone !== '' && Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }));
		} catch {
			return false;
		}
	},
	{ error: 'an IANA time zone such as Europe/Berlin' },
);
