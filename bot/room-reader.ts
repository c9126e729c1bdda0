import type { RoomSettings } from '../config/rooms.ts';
import type { OverseerStatus } from '../core/overseer/status.ts';
import { createTranslate, type Translate } from './catalogue.ts';
import type { BotDeps } from './deps.ts';
import type { PresenceFacts } from './presence.ts';
import { panelView } from './views/panel.ts';
import type { RoomFacts } from './views/room-facts.ts';
import type { View } from './views/view.ts';

/** Reads rooms for panels, commands and presence, so that all of them show the same. */
export interface RoomReader {
	facts(room: RoomSettings): Promise<RoomFacts>;
	panel(roomId: string): Promise<View>;
	presenceFacts(): Promise<PresenceFacts>;
}

type ReaderDeps = Pick<BotDeps, 'settings' | 'isKept' | 'site' | 'overrides' | 'status' | 'commentary' | 'clock'>;

export function createRoomReader(deps: ReaderDeps, t: Translate = createTranslate('en')): RoomReader {
	const facts = async (room: RoomSettings): Promise<RoomFacts> => {
		const { overseer } = deps.settings();
		const [overrides, site, status, commentary] = await Promise.all([
			deps.overrides.read(room.id),
			deps.site.read(),
			deps.status.read(room.id),
			deps.commentary.read(room.id),
		]);
		return {
			room,
			name: overseer.name,
			stage: overrides.stage ?? overseer.stage,
			runtime: overrides.runtime ?? overseer.runtime,
			site,
			status,
			commentary,
			isKept: deps.isKept,
			now: deps.clock.now(),
		};
	};
	return {
		facts,
		async panel(roomId) {
			const room = deps.settings().rooms.find((candidate) => candidate.id === roomId);
			if (room === undefined) return { content: t('refused.otherRoom') };
			return panelView(await facts(room), t);
		},
		async presenceFacts() {
			const [site, rooms] = await Promise.all([
				deps.site.read(),
				Promise.all(deps.settings().rooms.slice(0, 50).map(facts)),
			]);
			return {
				site,
				rooms: rooms.map(({ stage, runtime, status }) => ({ stage, runtime, isModelOffline: isModelOffline(status) })),
			};
		},
	};
}

const offlineCodes = ['unreachable', 'timeout', 'overloaded', 'auth'];

/** The last tries failed, and for a reason that lies with the model's server. */
function isModelOffline(status: OverseerStatus | undefined): boolean {
	const code = status?.lastError?.code ?? '';
	return status !== undefined && status.failures > 0 && offlineCodes.some((offline) => code.includes(offline));
}
