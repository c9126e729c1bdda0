import { z } from 'zod';
import { type Asker, type Check, type Option, optionFor, SetupStopped } from './asker.ts';

const answersSchema = z.record(
	z.string(),
	z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())]),
);

/** Answers as setup's `--answers` file holds them; throws SetupStopped for text that is none. */
export function parseAnswers(text: string): z.infer<typeof answersSchema> {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		throw new SetupStopped('bad_answer', 'the file of answers is not JSON');
	}
	const parsed = answersSchema.safeParse(value);
	if (parsed.success) return parsed.data;
	const places = parsed.error.issues.map(({ path }) => path.join('.') || 'the whole').join(', ');
	throw new SetupStopped('bad_answer', `the file of answers holds something else than texts and lists: ${places}`);
}

/** Answers from a file. What is not in it takes its default; a wrong answer stops setup and says why. */
export function createFileAsker(answers: z.infer<typeof answersSchema>, say: (line: string) => void): Asker {
	const asked = new Set<string>();
	const given = (key: string) => {
		asked.add(key);
		return answers[key];
	};
	const wrong = (key: string, problem: string): never => {
		throw new SetupStopped('bad_answer', `${key}: ${problem}`);
	};
	async function checked<T>(key: string, answer: T, check?: Check<T>): Promise<T> {
		const problem = await check?.(answer);
		return problem === undefined ? answer : wrong(key, problem);
	}
	const pick = (key: string, text: unknown, options: readonly Option[]): string => {
		const found = optionFor(String(text), options, false);
		const names = options.map(({ value, name }) => name ?? value).join(', ');
		return found?.value ?? wrong(key, `"${String(text)}" is none of: ${names}`);
	};
	return {
		say,
		async text({ key, initial, check }) {
			const answer = given(key) ?? initial;
			if (answer === undefined) throw new SetupStopped('missing_answer', `${key}: missing in the file of answers`);
			return checked(key, String(answer), check);
		},
		async choose({ key, options, initial, none, check }) {
			const answer = given(key);
			if (answer === null || (answer === undefined && initial === undefined)) {
				if (none) return undefined;
				throw new SetupStopped('missing_answer', `${key}: missing in the file of answers`);
			}
			return checked(key, pick(key, answer ?? initial, options), check);
		},
		async chooseMany({ key, options, initial }) {
			const answer = given(key);
			if (answer === undefined) return [...initial];
			if (!Array.isArray(answer)) return wrong(key, 'a list is needed');
			return answer.map((one) => pick(key, one, options));
		},
		async confirm({ key, initial }) {
			const answer = given(key) ?? initial;
			return typeof answer === 'boolean' ? answer : wrong(key, 'true or false is needed');
		},
		close() {
			const unknown = Object.keys(answers).filter((key) => !asked.has(key));
			if (unknown.length > 0) say(`Not asked for, so not used: ${unknown.join(', ')}`);
		},
	};
}
