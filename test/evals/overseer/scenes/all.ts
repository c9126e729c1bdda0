import type { Scene } from '../scene.ts';
import { german } from './german.ts';
import { hostile } from './hostile.ts';
import { house } from './house.ts';
import { locks } from './locks.ts';
import { people } from './people.ts';
import { questions } from './questions.ts';
import { quiet } from './quiet.ts';
import { wishes } from './wishes.ts';

/** Every scene, by the group that its file names. */
export const SCENES: Readonly<Record<string, readonly Scene[]>> = {
	questions,
	wishes,
	quiet,
	locks,
	people,
	house,
	hostile,
	german,
};
