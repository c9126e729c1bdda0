import { isPair, isScalar, LineCounter, parseDocument, visit } from 'yaml';
import type { ConfigProblem } from './config-error.ts';

const MAX_BYTES = 1_000_000;

/** A settings text as a plain value, with the way back from a path to its place in the text. */
export interface YamlFile {
	readonly value: unknown;
	readonly problems: readonly ConfigProblem[];
	/** 1-based line of a setting, given as a dotted path. */
	lineOf(path: string): number | undefined;
	/** The setting as it was written, before YAML made a number of it. */
	sourceOf(path: string): string | undefined;
}

/** An empty key means "as by default", as after commenting out everything below it. */
function withoutEmpty(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(withoutEmpty);
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value)
			.filter(([, item]) => item !== null)
			.map(([key, item]) => [key, withoutEmpty(item)]),
	);
}

const nothing = (problem: ConfigProblem): YamlFile => ({
	value: {},
	problems: [problem],
	lineOf: () => undefined,
	sourceOf: () => undefined,
});

/** Reads YAML without ever throwing; what is wrong with the text itself is in `problems`, with lines. */
export function readYaml(text: string): YamlFile {
	const broken = (got: string, hint: string) => nothing({ source: 'file', path: '', got, hint });
	if (text.length > MAX_BYTES) return broken('more than 1 MB', 'a settings file is a few kB; is this the right file?');
	if (text.includes('\u0000')) return broken('not a text in UTF-8', 'save the file as UTF-8');
	const counter = new LineCounter();
	const document = parseDocument(text, {
		lineCounter: counter,
		prettyErrors: false,
		stringKeys: true,
	} as const);
	if (document.errors.length > 0) {
		const problems = document.errors.slice(0, 20).map((error): ConfigProblem => {
			const { line, col } = counter.linePos(error.pos[0]);
			const hint =
				error.code === 'TAB_AS_INDENT'
					? 'indent with spaces; YAML takes no tabs'
					: error.code === 'DUPLICATE_KEY'
						? 'the same key stands twice in this group; keep one'
						: `column ${col}: check indentation, colons and quotes here`;
			return { source: 'file', path: '', line, got: `YAML: ${error.message.split('\n')[0]}`, hint };
		});
		return { ...nothing(problems[0]!), problems };
	}
	let value: unknown;
	try {
		value = document.toJS({ maxAliasCount: 50 });
	} catch {
		return broken('too many repeated references (& and *)', 'write the settings out');
	}
	if (value === null || value === undefined) value = {};
	if (typeof value !== 'object' || Array.isArray(value))
		return broken(
			Array.isArray(value) ? 'a list' : 'a single value',
			'write groups of settings, such as "overseer:" with "  stage: observe" below',
		);
	const places = new Map<string, { offset: number; source?: string }>();
	visit(document, {
		Node: (key, node, parents) => {
			const steps: string[] = [];
			[...parents, node].forEach((parent, index, chain) => {
				if (isPair(parent) && isScalar(parent.key)) steps.push(String(parent.key.value));
				const child = chain[index + 1];
				if (parent && 'items' in parent && parent.constructor.name === 'YAMLSeq' && child)
					steps.push(String((parent.items as unknown[]).indexOf(child)));
			});
			if (key === 'key') return;
			const owner = parents.at(-1);
			const range = isPair(owner) && isScalar(owner.key) ? owner.key.range : node.range;
			if (range) places.set(steps.join('.'), { offset: range[0], source: isScalar(node) ? node.source : undefined });
		},
	});
	return {
		value: withoutEmpty(value),
		problems: [],
		lineOf: (path) => {
			for (let steps = path.split('.'); steps.length > 0; steps = steps.slice(0, -1)) {
				const place = places.get(steps.join('.'));
				if (place) return counter.linePos(place.offset).line;
			}
			return undefined;
		},
		sourceOf: (path) => places.get(path)?.source,
	};
}
