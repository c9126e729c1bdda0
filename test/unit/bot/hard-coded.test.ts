import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Rooms of the bot whose texts are answers to people. */
const ROOMS = ['commands', 'views', 'intake', 'interactions', 'fleet'];

/** What stands in the code although people see it, and why. */
const ALLOWED: readonly (readonly [text: string, why: string])[] = [
	['Which intake, when this is not its thread', 'with its German beside it'],
	['Welches Intake, wenn das nicht sein Thread ist', 'the German beside it'],
	['Turns a wish into a specification', 'with its German beside it'],
	['Macht aus einem Wunsch eine Spezifikation', 'the German beside it'],
	['What you want built; without it a form asks', 'with its German beside it'],
	['Was gebaut werden soll; ohne das fragt ein Formular', 'the German beside it'],
	['Who may answer too', 'with its German beside it'],
	['Wer auch antworten darf', 'the German beside it'],
	['Start an intake', 'name of a menu entry, with its German beside it'],
	['Intake beginnen', 'the German beside it'],
	['View Channel, Create Private Threads', "Discord's own names of permissions"],
	['Threads of sessions cannot be opened', 'for operators, in the log and the admin channel'],
	['was written in <#', 'for operators, in the log and the admin channel'],
	['says cannot be posted in', 'for operators, in the log and the admin channel'],
	['events of the fleet were dropped', 'for operators, in the log and the admin channel'],
	['a card could not be posted; tried again', 'for the log'],
	['attached on Discord and not passed on', 'for the session, which is not a person'],
	['muted: no cards and mentions', 'an entry of the record, which is kept in one language'],
	['not muted any more', 'an entry of the record, which is kept in one language'],
];

const LITERAL = /'(?:[^'\\\n]|\\.)*'|`(?:[^`\\\n]|\\.)*`/g;
const PROSE = /\p{L}{2,},? \p{L}{2,}/u;
/** Lines whose texts nobody but operators and programmers sees, or that are typed rather than read. */
const OTHERS = /\blog\b|^import|Error\(|from '|path: '|example: '|\.count\(/;

/** Sentences in the code; what is filled into a text does not count as part of it. */
function sentencesIn(source: string): string[] {
	const bare = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
	return [...bare.matchAll(LITERAL)].flatMap((match) => {
		const from = Math.max(0, match.index - 200, bare.lastIndexOf(';', match.index));
		const before = bare.slice(from, bare.indexOf('\n', match.index));
		const text = match[0].slice(1, -1).replace(/\$\{.*\}/g, '');
		const isCommand = text.startsWith('/') || /^(?:[a-z-]+ )+[a-z-]+$/.test(text);
		return PROSE.test(text) && !isCommand && !OTHERS.test(before) ? [text] : [];
	});
}

test('OPS-11 no sentence for people stands in the code: all are in the catalogue', () => {
	const found = ROOMS.flatMap((room) =>
		readdirSync(join('bot', room), { recursive: true, encoding: 'utf8' })
			.filter((name) => name.endsWith('.ts'))
			.flatMap((name) =>
				sentencesIn(readFileSync(join('bot', room, name), 'utf8'))
					.filter((text) => !ALLOWED.some(([known]) => text.includes(known)))
					.map((text) => `${room}/${name}: ${text.slice(0, 120)}`),
			),
	);
	expect(found).toEqual([]);
	expect(sentencesIn("return { content: 'You may not do that here.' };")).toHaveLength(1);
	expect(sentencesIn('return { content: `Nobody asked for #{name}` };'.replace('#', '$'))).toHaveLength(1);
	expect(sentencesIn("log.warn({}, 'this is for operators');")).toEqual([]);
});
