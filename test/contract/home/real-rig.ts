import type { RealHome } from '../../support/real-home.ts';
import type { HomeRig } from './home-rig.ts';

/** A real Home Assistant as a rig. */
export function createRealRig(real: RealHome): HomeRig {
	const { owner, entities } = real;
	let { token } = real;
	return {
		url: real.url,
		get token() {
			return token;
		},
		entities: {
			light: entities.light,
			switch: entities.switch,
			cover: entities.cover,
			vacuum: entities.vacuum,
			button: entities.button,
			fickle: entities.fickle,
			renamed: entities.secondLight,
			slowScript: entities.slowScript,
		},
		state: real.state,
		act: (domain, service, entityId) => owner.callService(domain, service, { entity_id: entityId }),
		setFickle: (available) =>
			owner.callService('input_boolean', available ? 'turn_on' : 'turn_off', {
				entity_id: 'input_boolean.fickle_plugged',
			}),
		async rename(from, to) {
			await owner.command({ type: 'config/entity_registry/update', entity_id: from, new_entity_id: to });
		},
		async armSlowScript() {},
		restart: real.restart,
		revokeToken: real.revokeToken,
		async newToken() {
			token = await real.newToken();
			return token;
		},
		close: real.stop,
	};
}
