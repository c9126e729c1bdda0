import { type IntakeSettings, intakeSettings } from '../../../../config/intake.ts';
import type { Effect, EffectKind, EffectOf } from '../../../../core/intake/effect.ts';
import type { IntakeEvent } from '../../../../core/intake/event.ts';
import type { GovernanceVerdict } from '../../../../core/intake/governance-port.ts';
import { freshSession, type IntakeSession } from '../../../../core/intake/session.ts';
import { stepIntake } from '../../../../core/intake/step.ts';

export const SETTINGS: IntakeSettings = intakeSettings.parse({});
export const ALEX = { id: 'u1', bot: false };
export const START = Date.UTC(2026, 5, 1, 9);

export const WISH = 'I want an online shop for handmade mugs with inventory.';
export const QUESTIONS = 'D1: Who manages the stock?\nD7: What is the budget?';
export const MORE_QUESTIONS = 'D3: What must be remembered about each order?';
export const LAST_QUESTIONS = 'D6: Where should it run?';
export const FINAL = `REQUIREMENTS_COMPLETE: true
TASK_SUMMARY: An online shop for handmade mugs with inventory.
PROJECT_NAME: mug_shop
ESCALATE_TO: U:BA
PROLOG_FACTS:
has_feature(inventory). % "handmade mugs with inventory"
user_role(admin, 2). % "Two admins manage the stock"`;

/** Plays a session event by event, with ids and a clock of its own. */
export interface Driver {
	session: IntakeSession;
	now: number;
	/** Every effect since the start. */
	readonly log: Effect[];
	/** Effects of the last event. */
	last: readonly Effect[];
	do(event: IntakeEvent): Driver;
	say(text: string): Driver;
	reply(text: string, structured?: unknown): Driver;
	verdict(outcome: GovernanceVerdict['outcome']): Driver;
	press(kind: 'send_now' | 'skip_round' | 'finish_now' | 'lock'): Driver;
	wait(ms: number): Driver;
	all<Kind extends EffectKind>(kind: Kind): EffectOf<Kind>[];
	lastOf<Kind extends EffectKind>(kind: Kind): EffectOf<Kind>[];
	notices(): string[];
}

export function drive(options: { review?: boolean; settings?: IntakeSettings; session?: IntakeSession } = {}): Driver {
	const settings = options.settings ?? SETTINGS;
	let count = 0;
	const driver: Driver = {
		session:
			options.session ??
			freshSession(
				{ id: 's1', place: { kind: 'cxp', caller: 'u1' }, requesterId: 'u1', review: options.review ?? true },
				START,
			),
		now: START,
		log: [],
		last: [],
		do(event) {
			const step = stepIntake(driver.session, event, settings, driver.now);
			driver.session = step.state;
			driver.last = step.effects;
			driver.log.push(...step.effects);
			return driver;
		},
		say: (text) =>
			driver.do(
				driver.session.state === 'IDLE'
					? { kind: 'intent', id: `m${(count += 1)}`, author: ALEX, text }
					: { kind: 'message', id: `m${(count += 1)}`, author: ALEX, text, whole: true },
			),
		reply: (text, structured) =>
			driver.do({ kind: 'model_reply', callId: driver.session.call?.id ?? 'none', text, structured }),
		verdict: (outcome) =>
			driver.do({
				kind: 'governance',
				packetId: driver.session.packet?.id ?? 'none',
				verdict: { outcome, findings: [] },
			}),
		press: (kind) => driver.do({ kind, id: `i${(count += 1)}`, author: ALEX }),
		wait(ms) {
			driver.now += ms;
			return driver.do({ kind: 'tick' });
		},
		all: (kind) => driver.log.filter((effect) => effect.kind === kind) as never,
		lastOf: (kind) => driver.last.filter((effect) => effect.kind === kind) as never,
		notices: () => driver.last.flatMap((effect) => (effect.kind === 'notice' ? [effect.code] : [])),
	};
	return driver;
}

/** Wish, questions, one answer, complete: waiting in the review (or handed over without one). */
export function compiled(options: { review?: boolean } = {}): Driver {
	return drive(options).say(WISH).reply(QUESTIONS).say('Two admins manage the stock. Budget is 5000 EUR.').reply(FINAL);
}
