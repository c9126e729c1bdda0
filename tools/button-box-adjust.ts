import { domainOf, type EntityState } from '../core/home/entity.ts';
import { commandAndWatch, outcomeOf, stepLimitMs } from './command-and-watch.ts';
import { defineTool } from './tool.ts';

export const buttonBoxAdjust = defineTool({
	name: 'button_box_adjust',
	timeLimitMs: ({ settings, callDeadlineMs }) => stepLimitMs(callDeadlineMs, settings.verifyMs.light),
	/** Sets the counter to what it is plus the amount, so that the command itself is absolute. */
	async run(context, { button, amount }, signal) {
		const failed = (code: string, summary: string) => ({ kind: 'failed', code, summary }) as const;
		const { enabled, maxAmount } = context.settings.buttonBox;
		const entityId = context.room.buttonBoxEntityIds?.[button - 1];
		if (!enabled || entityId === undefined) return failed('unsupported', 'there is no such button');
		if (Math.abs(amount) > maxAmount) return failed('out_of_range', `one step is at most ${maxAmount}`);
		const state = context.home.states().get(entityId);
		const count = state?.available === true && state.state.trim() !== '' ? Number(state.state) : Number.NaN;
		if (!Number.isFinite(count)) return failed('unavailable', `button ${button} shows no count`);
		const value = count + amount;
		const { min, max } = state?.attributes ?? {};
		if ((typeof min === 'number' && value < min) || (typeof max === 'number' && value > max)) {
			return failed('out_of_range', `button ${button} cannot go to ${value}`);
		}
		const watch = {
			entityIds: [entityId],
			reached: (states: ReadonlyMap<string, EntityState>) => Number(states.get(entityId)?.state) === value,
			verifyMs: context.settings.verifyMs.light,
		};
		const command = { domain: domainOf(entityId), service: 'set_value', entityId, data: { value } };
		const step = await commandAndWatch(context, command, watch, signal);
		return outcomeOf(step, {
			done: `button ${button} is at ${value}`,
			tried: `told button ${button} to be at ${value}`,
		});
	},
});
