import { stepLimitMs } from '../command-and-watch.ts';
import { defineTool, type Tool } from '../tool.ts';
import { coverStands, type Direction, moveCover } from './cover.ts';
import { moveSwitches, switchesStand } from './switches.ts';

/** The lift tool of one direction, over whichever driver the room has. */
export function createLiftTool(direction: Direction): Tool {
	return defineTool({
		name: direction === 'up' ? 'lift_up' : 'lift_down',
		timeLimitMs({ room: { lift }, settings, callDeadlineMs }) {
			const stepMs = stepLimitMs(callDeadlineMs, settings.verifyMs.lift);
			return lift?.driver === 'switches' ? 2 * stepMs + lift.interlockMs : stepMs;
		},
		async run(context, _args, signal) {
			const { lift } = context.room;
			if (lift === undefined) return { kind: 'failed', code: 'unsupported', summary: 'this room has no lift' };
			return lift.driver === 'cover'
				? await moveCover(context, lift, direction, signal)
				: await moveSwitches(context, lift, direction, signal);
		},
		stands(context, _args, since) {
			const { lift } = context.room;
			if (lift === undefined) return false;
			return lift.driver === 'cover'
				? coverStands(context, lift, direction, since)
				: switchesStand(context, lift, direction, since);
		},
	});
}
