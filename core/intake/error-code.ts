import { z } from 'zod';

export const intakeErrorCode = z.enum([
	'E01',
	'E02',
	'E03',
	'E04',
	'E05',
	'E06',
	'E07',
	'E08',
	'E09',
	'E10',
	'E11',
	'E12',
	'E13',
	'E14',
	'E15',
]);
export type IntakeErrorCode = z.infer<typeof intakeErrorCode>;

export interface IntakeErrorText {
	/** What happened, one sentence. */
	readonly sentence: string;
	readonly kept: string;
	readonly next: string;
	/** Whether the sender can do something about it by sending again differently. */
	readonly blame: 'sender' | 'us';
}

const row = (blame: IntakeErrorText['blame'], sentence: string, kept: string, next: string): IntakeErrorText => ({
	sentence,
	kept,
	next,
	blame,
});

/** Every expected failure of an intake, in words for a person. The edge may translate them; the codes never change. */
export const INTAKE_ERRORS: Readonly<Record<IntakeErrorCode, IntakeErrorText>> = {
	E01: row(
		'sender',
		'The packet does not have the form of a CXP packet.',
		'Nothing was changed.',
		'Send it again with from, to, subject and body.',
	),
	E02: row(
		'sender',
		'The subject is not one this intake knows.',
		'Nothing was changed.',
		'Use the subject "intent" or "response".',
	),
	E03: row(
		'sender',
		'The sender is not allowed here, or the signature does not hold.',
		'Nothing was changed.',
		'Send as HUMAN or gateway, signed with a valid key and a fresh timestamp.',
	),
	E04: row(
		'sender',
		'This is an answer, but no intent was given yet.',
		'Nothing was changed.',
		'Say first what you want built.',
	),
	E05: row(
		'sender',
		'There is no text in it.',
		'Nothing was changed and no round was used.',
		'Send it again with words.',
	),
	E06: row(
		'sender',
		'The text is too long.',
		'Everything said before is kept; this text was not taken.',
		'Shorten it or send it in parts.',
	),
	E07: row(
		'sender',
		'This intake is already finished or cancelled.',
		'What was handed over stays as it is.',
		'Start a new intake for a change.',
	),
	E08: row(
		'us',
		'The model did not answer in time.',
		'Your answer is kept and no round was used.',
		'It is tried again by itself.',
	),
	E09: row(
		'us',
		'The model cannot be reached or is overloaded.',
		'Your answer is kept and no round was used.',
		'It is tried again by itself.',
	),
	E10: row(
		'us',
		'The model gave nothing that could be used.',
		'Your answer is kept.',
		'The intake goes on with its standing questions, or with what was said so far.',
	),
	E11: row(
		'us',
		'Some facts the model wrote were not valid and are left out.',
		'Everything you said is kept, and so are the valid facts.',
		'The facts left out are listed with the reason.',
	),
	E12: row(
		'us',
		'The model left out a required field.',
		'Everything you said is kept.',
		'A documented stand-in taken from your own words is used and marked.',
	),
	E13: row(
		'us',
		'The rules of governance do not let this packet go.',
		'Everything is kept; nothing was sent.',
		'Answer what the article asks for and lock again, or cancel.',
	),
	E14: row(
		'us',
		'The business analyst could not be reached.',
		'The packet is kept and visible.',
		'It is delivered again by itself; an operator is told.',
	),
	E15: row(
		'us',
		'The stored state of this intake was damaged.',
		'The last good state was taken up, if there was one.',
		'Go on from there, or start again if the intake was closed.',
	),
};
