import { fileURLToPath } from 'node:url';
import { readPromptFiles } from '../../config/prompt-files.ts';
import { findingsOf } from '../../core/operations/finding.ts';
import { checkPrompts, PROMPT_FILES, PromptError } from '../../prompts/render.ts';
import type { CheckContext, Checked } from './context.ts';

const { error } = findingsOf('prompts');

/** Every prompt file is there and has the placeholders that are filled in. */
export async function checkPromptFiles({ settings }: CheckContext): Promise<Checked> {
	const own = settings.promptsDir;
	const found = readPromptFiles({
		names: PROMPT_FILES.map((name) => name.replace(/\.md$/, '')),
		builtInDir: fileURLToPath(new URL('../../prompts', import.meta.url)),
		...(own === undefined ? {} : { overrideDir: own }),
	});
	const detail = own === undefined ? `the ${PROMPT_FILES.length} built-in files` : `${own} over the built-in files`;
	const where = own ?? 'prompts';
	if (!found.ok) {
		const findings = found.problems.map(({ path, got, hint }) =>
			error('prompt_file', `${where}/${path}.md: ${got}.`, `${hint}.`),
		);
		return { detail, findings };
	}
	try {
		checkPrompts(Object.fromEntries(Object.entries(found.files).map(([name, text]) => [`${name}.md`, text])));
		return { detail, findings: [] };
	} catch (thrown) {
		if (!(thrown instanceof PromptError)) throw thrown;
		const fix = `Correct ${where}/${thrown.file}, or delete it there: the built-in file then stands in.`;
		return { detail, findings: [error(`prompt_${thrown.code}`, `${thrown.message}.`, fix)] };
	}
}
