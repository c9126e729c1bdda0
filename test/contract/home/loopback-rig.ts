import { createLoopbackHome } from '../../../demo/home/loopback-home.ts';
import type { HomeRig } from './home-rig.ts';

/** The loopback Home Assistant as a rig. */
export async function createLoopbackRig(): Promise<HomeRig> {
	const pace = { liftTravelMs: 1_500, cleanMs: 60_000, driveSpeed: 400 };
	const loopback = await createLoopbackHome({ token: 'first-token', pace, tickMs: 20 });
	const { control } = loopback;
	let token = loopback.token;
	let tokens = 1;
	return {
		url: loopback.url,
		get token() {
			return token;
		},
		entities: {
			light: 'light.shelf',
			switch: 'switch.aux2',
			cover: 'cover.lift',
			vacuum: 'vacuum.neato',
			button: 'button.lights_lock',
			fickle: 'switch.lift_up',
			renamed: 'light.corner',
			slowScript: 'script.movie_time',
		},
		async state(entityId) {
			return control.world().entities[entityId];
		},
		async act(domain, service, entityId) {
			control.act({ domain, service, entityId });
		},
		async setFickle(available) {
			control.presence('switch.lift_up', available ? 'available' : 'unavailable');
		},
		async rename(from, to) {
			const original = from.replace(/_(moved|away)$/, '');
			control.rename(original, to);
		},
		async armSlowScript() {
			control.fault({ domain: 'script', kind: 'hang' });
		},
		restart: () => control.restart({ downMs: 300, loadMs: 1_200 }),
		async revokeToken() {
			control.revokeToken();
		},
		async newToken() {
			tokens += 1;
			token = `token-${tokens}`;
			control.setToken(token);
			return token;
		},
		close: () => loopback.close(),
	};
}
