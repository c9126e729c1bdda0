import { type Finding, findingsOf } from './finding.ts';

export type DiskFacts =
	| { readonly kind: 'unusable'; readonly path: string; readonly reason: string }
	| { readonly kind: 'there'; readonly path: string; readonly freeBytes: number; readonly totalBytes: number };

const MEGABYTE = 1_000_000;
const TIGHT = 1_000 * MEGABYTE;
const FULL = 100 * MEGABYTE;
const { error, warning } = findingsOf('disk');

/** Room for the append-only file, which grows to about twice its size while it is rewritten. */
export function judgeDisk(facts: DiskFacts): Finding[] {
	if (facts.kind === 'unusable')
		return [
			error(
				'disk_unusable',
				`The data folder ${facts.path} cannot be written: ${facts.reason}.`,
				'Give it to the user who starts the bot (chown), or set MAJORDOMO_DATA to a folder that is theirs.',
			),
		];
	if (facts.freeBytes >= TIGHT) return [];
	const free = `${Math.floor(facts.freeBytes / MEGABYTE)} MB`;
	return [
		(facts.freeBytes < FULL ? error : warning)(
			'disk_space',
			`Only ${free} are free where ${facts.path} is; a private Redis refuses writes when the disk is full.`,
			'Free some space (df -h shows where), or set MAJORDOMO_DATA to a folder on a bigger disk and move the old one there while the bot is stopped.',
		),
	];
}
