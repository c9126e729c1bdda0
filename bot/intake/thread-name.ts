const LONGEST = 80;

/** Name of a thread from the wish itself, until the project has a name: its first words, on one line. */
export function threadName(intent: string): string {
	const line = intent
		.replace(/<a?:(\w+):\d+>/g, '$1')
		.replace(/<[@#][!&]?\d+>/g, ' ')
		// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out.
		.replace(/[\u0000-\u001f\u007f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff*_`~|>#]+/g, ' ')
		.replace(/\s+/g, ' ')
		.trim();
	if (line === '') return 'intake';
	const points = [...line];
	if (points.length <= LONGEST) return line;
	const cut = points.slice(0, LONGEST - 1).join('');
	const words = cut.replace(/\s+\S*$/, '');
	return `${words.length > LONGEST / 2 ? words : cut}…`;
}
