import type { z } from 'zod';
import type { HomeControl } from './control.ts';
import { controlInput } from './control-input.ts';

export interface Answer {
	readonly status: number;
	readonly body: unknown;
}

type Name = keyof typeof controlInput;
type Input<N extends Name> = z.infer<(typeof controlInput)[N]>;

/** Answers the control requests: `GET /control/<view>` reads, `POST /control/<action>` does. */
export function createControlRoutes(control: HomeControl) {
	const views: Readonly<Record<string, () => unknown>> = {
		world: control.world,
		frames: control.frames,
		calls: control.calls,
		actions: control.actions,
	};
	const actions: { readonly [N in Name]: (input: Input<N>) => unknown } = {
		act: control.act,
		poke: control.poke,
		set: ({ entityId, parentId, ...report }) => control.set(entityId, report, parentId),
		release: ({ entityId }) => control.release(entityId),
		presence: ({ id, presence }) => control.presence(id, presence),
		rename: ({ entityId, to }) => control.rename(entityId, to),
		fault: control.fault,
		'clear-faults': control.clearFaults,
		'revoke-token': control.revokeToken,
		'set-token': ({ token }) => control.setToken(token),
		'close-sockets': control.closeSockets,
		stall: ({ stalled }) => control.stall(stalled),
		restart: (options) => control.restart(options),
		advance: ({ ms }) => control.advance(ms),
		reset: control.reset,
	};

	async function run<N extends Name>(name: N, body: unknown): Promise<Answer> {
		const parsed = controlInput[name].safeParse(body);
		if (!parsed.success) {
			const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`);
			return { status: 400, body: { error: 'invalid_input', problems } };
		}
		const value = await actions[name](parsed.data as Input<N>);
		return { status: 200, body: value ?? { ok: true } };
	}

	return {
		get(name: string): Answer {
			const view = Object.hasOwn(views, name) ? views[name] : undefined;
			return view ? { status: 200, body: view() } : unknownName(name, Object.keys(views));
		},
		async post(name: string, body: unknown): Promise<Answer> {
			return Object.hasOwn(actions, name) ? run(name as Name, body) : unknownName(name, Object.keys(actions));
		},
	};
}

function unknownName(name: string, known: readonly string[]): Answer {
	return { status: 404, body: { error: 'unknown_control', name, known } };
}
