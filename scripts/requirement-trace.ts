import ts from 'typescript';

export interface Requirement {
	readonly id: string;
	readonly what: string;
	readonly state: 'claimed' | 'planned';
	/** Test files that the page names for it; empty where it names none. */
	readonly shownBy: readonly string[];
}

export interface NamedTest {
	readonly file: string;
	readonly name: string;
	readonly ids: readonly string[];
	/** Switched off for good; it shows nothing. */
	readonly isOff: boolean;
}

export interface Trace {
	readonly rows: readonly (Requirement & { readonly tests: readonly NamedTest[] })[];
	readonly problems: readonly string[];
}

const idPattern =
	/^(?:(?:OVR|INT|FLT|OPS)-\d{1,3}|[DOAHQPCSX]\d{2}|(?:TEST|CONST)-032-\d{3}|(?:FR|US)-\d{3}|E(?:0[1-9]|1[0-5]))$/;

/** Rows of the tables in the requirements page, and what is wrong with them. */
export function readRequirements(page: string): { requirements: Requirement[]; problems: string[] } {
	const requirements = new Map<string, Requirement>();
	const problems: string[] = [];
	for (const line of page.split('\n')) {
		const cells = line.split('|').map((cell) => cell.trim());
		const [, id = '', what = '', state = '', files = ''] = cells;
		if (!idPattern.test(id)) continue;
		const shownBy = cells.length === 6 ? files.split(/[\s,]+/).map((file) => file.replaceAll('`', '')) : [];
		if ((cells.length !== 5 && cells.length !== 6) || what === '')
			problems.push(`${id}: a row needs id, what and state, and may name test files`);
		else if (shownBy.includes('')) problems.push(`${id}: names an empty test file`);
		else if (state !== 'claimed' && state !== 'planned')
			problems.push(`${id}: state "${state}" is neither claimed nor planned`);
		else if (requirements.has(id)) problems.push(`${id}: stands twice in the requirements`);
		else requirements.set(id, { id, what, state, shownBy });
	}
	return { requirements: [...requirements.values()], problems };
}

/** Ids at the start of a test's name. */
function idsOf(name: string): string[] {
	const ids: string[] = [];
	for (const word of name.split(/[\s,:]+/)) {
		if (!idPattern.test(word)) break;
		ids.push(word);
	}
	return ids;
}

/** `test`, `it`, and what hangs on them: `test.each(…)`, `test.skipIf(…)`; undefined for other calls. */
function testCallee(expression: ts.Expression): { isOff: boolean } | undefined {
	if (ts.isIdentifier(expression))
		return expression.text === 'test' || expression.text === 'it' ? { isOff: false } : undefined;
	if (ts.isCallExpression(expression) || ts.isTaggedTemplateExpression(expression))
		return testCallee(ts.isCallExpression(expression) ? expression.expression : expression.tag);
	if (!ts.isPropertyAccessExpression(expression)) return undefined;
	const inner = testCallee(expression.expression);
	return inner && { isOff: inner.isOff || ['skip', 'todo', 'fails'].includes(expression.name.text) };
}

function nameOf(node: ts.Node | undefined): string | undefined {
	if (!node) return undefined;
	if (ts.isStringLiteralLike(node)) return node.text;
	return ts.isTemplateExpression(node) ? node.head.text : undefined;
}

/** Tests of one file whose names begin with ids. */
export function readTests(file: string, source: string): NamedTest[] {
	const tests: NamedTest[] = [];
	const visit = (node: ts.Node, isOff: boolean): void => {
		let isOffBelow = isOff;
		if (ts.isCallExpression(node)) {
			const callee = testCallee(node.expression);
			const name = nameOf(node.arguments[0]);
			if (callee && name !== undefined && node.arguments.length > 1) {
				const ids = idsOf(name);
				if (ids.length > 0) tests.push({ file, name, ids, isOff: isOff || callee.isOff });
			}
			if (/^(describe|suite)(\.\w+)*\.(skip|todo)$/.test(node.expression.getText())) isOffBelow = true;
		}
		ts.forEachChild(node, (child) => visit(child, isOffBelow));
	};
	visit(ts.createSourceFile(file, source, ts.ScriptTarget.ES2022, true), false);
	return tests;
}

/** Puts requirements and tests together. */
export function traceRequirements(page: string, tests: readonly NamedTest[]): Trace {
	const { requirements, problems } = readRequirements(page);
	const known = new Set(requirements.map(({ id }) => id));
	const live = tests.filter((test) => !test.isOff);
	const rows = requirements.map((requirement) => ({
		...requirement,
		tests: live.filter((test) => test.ids.includes(requirement.id)),
	}));
	for (const test of tests)
		for (const id of test.ids)
			if (!known.has(id)) problems.push(`${test.file}: "${test.name}" names ${id}, which is not in the requirements`);
	for (const row of rows)
		if (row.state === 'claimed' && row.tests.length === 0)
			problems.push(`${row.id} is claimed and no test names it: ${row.what}`);
	for (const { id, shownBy, tests: shown } of rows)
		for (const file of shownBy)
			if (!shown.some((test) => test.file === file))
				problems.push(`${id} is said to be shown by ${file}, where no test names it`);
	return { rows, problems };
}
