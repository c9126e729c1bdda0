import { cutText, oneLine } from '../../chat/sanitise.ts';
import { DIMENSIONS, type Dimension, type DimensionStates } from '../dimension.ts';
import { LATER, MAX_OPTIONS, MAX_QUESTIONS, OTHER, type Question, type QuestionSet } from '../question.ts';
import type { RawQuestion } from '../reply/raw-question.ts';
import { isSameQuestion } from './likeness.ts';
import { type Linted, lintQuestions } from './lint-question.ts';
import { RECOMMENDED } from './lint-words.ts';
import { bankQuestions } from './question-bank.ts';

const TEXT_MAX = 300;
const LABEL_MAX = 100;
const OWN_OPTION =
	/^(?:other|others|something else|none of (?:these|the above)|not sure|unsure|(?:i )?don'?t know|decide later|later|skip|andere[s]?|sonstiges|weiß nicht|später|autre|je ne sais pas|plus tard|otro|otra|no sé|más tarde|其他|不确定|以后再说)\b.{0,40}$/iu;
const FIXED = [
	{ value: OTHER, label: 'Other' },
	{ value: LATER, label: 'Not sure, decide later' },
] as const;

/** Words by which a question without a label is placed; the first that fits. */
const TELLING: readonly (readonly [Dimension, RegExp])[] = [
	[
		'D7',
		/\b(?:budget|deadline|cost|legal|law|gdpr|dsgvo|compliance|regulation|constraint|frist|kosten|délai|presupuesto|plazo)\b|预算|期限/iu,
	],
	[
		'D6',
		/\b(?:host|hosted|hosting|deploy|deployment|cloud|on-premise|server|betrieb|héberg\w*|despliegue)\b|部署|托管/iu,
	],
	['D3', /\b(?:data|store|record|records|field|fields|database|daten|données|datos)\b|数据/iu],
	[
		'D2',
		/\b(?:technology|framework|language|platform|stack|technik|plattform|technologie|tecnología|plataforma)\b|技术|平台/iu,
	],
	[
		'D4',
		/\b(?:interface|api|integrate|integration|screen|ui|connect|schnittstelle|oberfläche|écran|interfaz)\b|界面|接口/iu,
	],
	[
		'D5',
		/\b(?:performance|fast|secure|security|availability|users at|concurrent|load|sicher|schnell|sécurité|seguridad)\b|性能|安全/iu,
	],
];

export interface AskContext {
	/** Everything people said, as one text. */
	readonly said: string;
	readonly earlier: readonly string[];
	readonly dimensions: DimensionStates;
	readonly language: string;
	/** Round the questions will be asked in. */
	readonly round: number;
	readonly now: number;
}

export interface ChosenQuestions {
	/** What may be asked; never empty unless nothing was given. */
	readonly good: readonly RawQuestion[];
	readonly offending: readonly Linted[];
}

/** Separates what may be asked from what breaks a rule. */
export function sortQuestions(questions: readonly RawQuestion[], context: AskContext): ChosenQuestions {
	const placed = questions.map((question) => place(tidy(question), context.dimensions));
	const linted = lintQuestions(placed, context);
	return {
		good: linted.filter(({ rules }) => rules.length === 0).map(({ question }) => question),
		offending: linted.filter(({ rules }) => rules.length > 0),
	};
}

/** The set to show. Standing questions fill in when nothing usable is left, so that a round is never empty. */
export function questionSetOf(good: readonly RawQuestion[], context: AskContext): QuestionSet {
	const isBank = good.length === 0;
	const chosen = isBank ? standing(context) : good;
	const ordered = [...spread(chosen)].sort((left, right) => rank(left) - rank(right));
	return {
		id: `r${context.round}`,
		round: context.round,
		askedAt: context.now,
		state: 'open',
		questions: ordered.map((raw, at): Question => {
			const options = optionsOf(raw);
			return {
				id: `q${context.round}.${at + 1}`,
				dimension: raw.dimension ?? 'D1',
				text: cutText(raw.text, TEXT_MAX),
				kind: options.length === 0 ? 'text' : raw.kind,
				options,
				origin: isBank ? 'bank' : 'model',
			};
		}),
	};
}

function rank(question: RawQuestion): number {
	return DIMENSIONS.indexOf(question.dimension ?? 'D1');
}

/** At most five; every dimension gets one before any gets a second. */
function spread(questions: readonly RawQuestion[]): RawQuestion[] {
	const first = questions.filter((one, at) => questions.findIndex((other) => other.dimension === one.dimension) === at);
	const others = questions.filter((one) => !first.includes(one));
	return [...first, ...others].slice(0, MAX_QUESTIONS);
}

function tidy(question: RawQuestion): RawQuestion {
	const text = oneLine(question.text.replace(RECOMMENDED, ' '), TEXT_MAX * 2);
	const options = question.options.map((option) => oneLine(option.replace(RECOMMENDED, ' '), LABEL_MAX));
	return { ...question, text, options: options.filter((option) => option !== '') };
}

function place(question: RawQuestion, dimensions: DimensionStates): RawQuestion {
	if (question.dimension !== undefined) return question;
	const told = TELLING.find(([, pattern]) => pattern.test(question.text))?.[0];
	return { ...question, dimension: told ?? DIMENSIONS.find((one) => dimensions[one] === 'open') ?? 'D1' };
}

function optionsOf(raw: RawQuestion): Question['options'] {
	if (raw.kind === 'text') return [];
	const seen = new Set<string>();
	const own = raw.options.filter((label) => {
		const key = label.toLowerCase();
		if (OWN_OPTION.test(label) || seen.has(key)) return false;
		seen.add(key);
		return true;
	});
	if (own.length < 2) return [];
	return [
		...own.slice(0, MAX_OPTIONS - FIXED.length).map((label, at) => ({ value: `o${at + 1}`, label })),
		...FIXED.map((option) => ({ ...option })),
	];
}

/** Standing questions for what is open, then for what was put off; at the very least one about the scope. */
function standing(context: AskContext): RawQuestion[] {
	const rankOf = { open: 0, deferred: 1, asked: 2, answered: 3 } as const;
	const order = [...DIMENSIONS].sort(
		(left, right) => rankOf[context.dimensions[left]] - rankOf[context.dimensions[right]],
	);
	const all = order.flatMap((dimension) =>
		bankQuestions(dimension, context.language)
			.slice(0, 2)
			.map((text): RawQuestion => ({ dimension, text, kind: 'text', options: [] })),
	);
	const fresh = all.filter(({ text }) => !context.earlier.some((earlier) => isSameQuestion(earlier, text)));
	const open = fresh.filter(({ dimension }) => dimension !== undefined && context.dimensions[dimension] !== 'answered');
	const first = (open.length > 0 ? open : fresh).filter(
		(one, at, list) => list.findIndex((other) => other.dimension === one.dimension) === at,
	);
	return first.length > 0 ? first.slice(0, 3) : all.slice(0, 1);
}
