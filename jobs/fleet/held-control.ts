import type { SessionControl } from '../../core/fleet/session-control.ts';
import type { KillSwitch } from '../kill-switch.ts';

/** The same way into sessions, but none is started while everything is paused. */
export function holdStarts<Control extends SessionControl>(
	control: Control,
	killSwitch: Pick<KillSwitch, 'isPaused'>,
): Control {
	return {
		...control,
		async start(request, signal) {
			if (await killSwitch.isPaused()) {
				const why = 'an admin has paused everything; start it again when that is over';
				return { kind: 'refused', code: 'not_ready', why };
			}
			return control.start(request, signal);
		},
	};
}
