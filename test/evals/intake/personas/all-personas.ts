import type { Persona } from '../persona.ts';
import { DEVELOPERS } from './developers.ts';
import { HARD_PEOPLE } from './hard-people.ts';
import { LANGUAGES } from './languages.ts';
import { ODD_MINDS } from './odd-minds.ts';
import { PLAIN_PEOPLE } from './plain-people.ts';

/** Everybody, in the order of the report. */
export const PERSONAS: readonly Persona[] = [
	...PLAIN_PEOPLE,
	...DEVELOPERS,
	...LANGUAGES,
	...HARD_PEOPLE,
	...ODD_MINDS,
];
