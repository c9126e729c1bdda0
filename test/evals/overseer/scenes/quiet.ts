import { driven, rover } from '../room.ts';
import { OWN, type Scene, type Talk } from '../scene.ts';

const silent = (id: string, about: string, talk: readonly Talk[], more: Partial<Scene> = {}): Scene => ({
	id,
	about,
	trigger: 'heartbeat',
	talk,
	expect: { modes: ['SKIP'] },
	...more,
});

/** Moments in which nothing happened, or nothing that is anybody's business. Silence is right. */
export const quiet: readonly Scene[] = [
	silent('quiet-empty', 'nobody there', []),
	silent('quiet-asleep', 'the last line is minutes old', [['alex', 'good night all', 420]]),
	silent('quiet-own-talk', 'two people and their own affairs', [
		['alex', 'did you eat already?', 20],
		['sam', 'yes, noodles', 12],
		['alex', 'nice', 5],
	]),
	silent('quiet-own-line-last', 'its last line still stands', [
		['alex', 'that drift was something', 40],
		[OWN, 'The corner remembers you.', 33],
	]),
	silent('quiet-just-driving', 'somebody drives, as they do', [['sam', 'lap 12', 25]], {
		world: { rovers: [rover('rover1'), driven('rover2', 'sam'), rover('rover3')] },
	}),
	silent('quiet-acted-already', 'it did something a moment ago', [['sam', 'huh', 28]], {
		done: [['bench is on', 35]],
		confirmed: ['light'],
	}),
	silent('quiet-request-to-another', 'a wish meant for somebody else', [
		['alex', 'sam, can you turn the shelf lamp off?', 8],
		['sam', 'in a sec', 3],
	]),
	silent('quiet-sad', 'not a moment for wit', [
		['sam', 'my dog died this morning', 14],
		['alex', 'oh no. i am so sorry', 6],
	]),
	silent('quiet-robot-word', 'words that only look like a name', [
		['alex', 'the bottom shelf is a mess', 12],
		['sam', 'blame the robot', 6],
	]),
	silent('quiet-lockdown', 'lockdown, and something happens', [['alex', 'rover1 is out', 9]], {
		trigger: 'world_event',
		site: { mode: 'lockdown' },
		events: [{ kind: 'undock', subject: 'rover1', text: 'rover1 left its dock' }],
		expect: { modes: ['SKIP'], locked: ['chat_say', 'lift_up', 'lift_down', 'neato_start', 'ha_set_entity'] },
	}),
	silent('quiet-voted', 'people voted for quiet', [['alex', 'peace at last', 9]], {
		votedQuiet: true,
		expect: { modes: ['SKIP'], locked: ['chat_say', 'lift_up', 'ha_set_entity', 'memory_write', 'neato_start'] },
	}),
	silent(
		'quiet-speech-rests',
		'it spoke a moment ago; speech rests',
		[
			['alex', 'ok ok', 6],
			[OWN, 'Mind the cable.', 4],
		],
		{ trigger: 'topic_change', resting: { chat: 5 }, expect: { modes: ['SKIP'], locked: ['chat_say'] } },
	),
];
