import type { House } from './house.ts';
import { services } from './service-rules.ts';

type Json = Record<string, unknown>;

export const haVersion = '2026.8.0';

export function describeConfig(house: House): Json {
	const components = Object.keys(services);
	return {
		location_name: 'Rehearsal house',
		time_zone: 'UTC',
		version: haVersion,
		state: house.isLoaded() ? 'RUNNING' : 'STARTING',
		components,
	};
}

export function describeServices(): Json {
	return Object.fromEntries(
		Object.entries(services).map(([domain, list]) => [
			domain,
			Object.fromEntries(
				Object.entries(list).map(([service, fields]) => [
					service,
					{
						name: service,
						description: '',
						fields: Object.fromEntries(Object.keys(fields).map((key) => [key, {}])),
						target: { entity: [{}] },
					},
				]),
			),
		]),
	);
}
