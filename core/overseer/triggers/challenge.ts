import { visible } from '../../chat/sanitise.ts';
import type { Finding, TriggerInput } from './finding.ts';

/** What must not be a letter before and after a phrase. */
const START = '(?<![\\p{L}\\p{N}_])';
const END = '(?![\\p{L}\\p{N}_])';

/** Ways to dare somebody, English and German, written without punctuation and with plain apostrophes left out. */
const PHRASES: readonly string[] = [
	'(?:i|we) (?:double |triple )?dare (?:you|u|ya)',
	'(?:double|triple) dare',
	'bet (?:you|u|ya) (?:cant|cannot|wont|wouldnt|dont|couldnt|will not)',
	'(?:i|we) bet (?:it|he|she|they|that thing) (?:cant|wont|doesnt dare)',
	'(?:you|u) (?:wont|wouldnt|would never|dont dare|wouldnt dare)',
	'(?:you|u) (?:cant|cannot) (?:stop|catch|beat|touch|scare|make|get) (?:me|us|this)',
	'(?:try|just try) (?:and |to )?(?:stop|catch|beat|scare|get) (?:me|us)',
	'(?:come at|fight|catch|stop|beat) me if (?:you|u) can',
	'come at me',
	'(?:do|try) your worst',
	'(?:is|was) that all (?:you|u) (?:got|have|can do)',
	'what are (?:you|u) (?:gonna|going to) do about (?:it|that)',
	'(?:i|we) challenge (?:you|u|ya)',
	'challenge accepted',
	'prove (?:it|me wrong|yourself)',
	'make (?:me|us)(?= *$)',
	'bring it(?: on)?(?= *$)',
	'(?:chicken|coward|scaredy cat)(?= *$)',
	'(?:too|2) (?:scared|afraid|weak|slow) to',
	'(?:show|surprise) us what (?:you|u)(?:ve| have)? (?:got|can do)',
	'trau(?:st)? (?:du )?dich',
	'du traust dich(?: (?:ja|doch|eh|wohl|sicher|bestimmt|auch)){0,3} (?:nicht|nie)',
	'traust du dich',
	'wetten (?:dass|das) (?:du|ihr|der|die)',
	'ich wette du',
	'(?:mal )?schauen ob du (?:das|es) (?:kannst|schaffst)',
	'das schaffst du (?:nie|nicht|eh nicht)',
	'du (?:kannst|schaffst) (?:das|es) (?:nie|nicht|eh nicht)',
	'komm (?:doch|nur) her',
	'zeig(?: mal)? was du (?:kannst|drauf hast)',
	'beweis(?:e)? (?:es|das|mir)',
	'ich fordere dich (?:heraus|raus)',
	'fang mich(?: doch)?(?: wenn du kannst)?(?= *$)',
	'(?:feigling|memme|angsthase)',
	'war das (?:schon )?alles',
	'mach doch(?= *$)',
];

/** Said about somebody else, or taken back: no dare. */
const DENIED = new RegExp(
	`${START}(?:dont|didnt|never|wont|not|kein|keine|nicht) (?:i |we )?(?:dare|challenge|bet)${END}`,
	'u',
);

/** Does the text dare anybody? `extra` are phrases from the settings, compared as whole words in any case. */
function isChallenge(text: string, extra: readonly string[] = []): boolean {
	const plain = plainWords(text);
	if (plain === '' || DENIED.test(plain)) return false;
	if (DARES.test(plain)) return true;
	return extra.some((phrase) => {
		const words = plainWords(phrase);
		return words !== '' && new RegExp(`${START}${words}${END}`, 'u').test(plain);
	});
}

const DARES = new RegExp(`${START}(?:${PHRASES.join('|')})${END}`, 'u');

function plainWords(text: string): string {
	return visible(text.slice(0, 1_000))
		.normalize('NFKC')
		.toLowerCase()
		.replace(/['’‘`´]/g, '')
		.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
		.trim();
}

/** Fires for a dare that is still warm. */
export function challenge({ fresh, now, settings }: TriggerInput): Finding | undefined {
	const { extraPhrases, freshMs } = settings.gate.challenge;
	const dares = fresh.filter(({ at, text }) => now - at <= freshMs && isChallenge(text, extraPhrases));
	const [first] = dares;
	if (first === undefined) return undefined;
	return {
		trigger: 'challenge',
		evidence: {
			trigger: 'challenge',
			messageIds: dares.map(({ id }) => id),
			counts: { dares: dares.length },
			note: 'somebody dares',
		},
		since: first.at,
		newestAt: Math.max(...dares.map(({ at }) => at)),
	};
}
