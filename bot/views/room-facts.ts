import type { Runtime, Stage } from '../../config/overseer.ts';
import type { RoomSettings } from '../../config/rooms.ts';
import type { CommentaryStatus } from '../../core/overseer/commentary-status.ts';
import type { SitePolicy } from '../../core/overseer/site.ts';
import type { OverseerStatus } from '../../core/overseer/status.ts';

/** What is known about one room, gathered from the stores at one moment. */
export interface RoomFacts {
	readonly room: RoomSettings;
	/** The one configured name. */
	readonly name: string;
	readonly stage: Stage;
	readonly runtime: Runtime;
	readonly site: SitePolicy;
	readonly status: OverseerStatus | undefined;
	/** Document of the chat-only commentator; absent where it never ran. */
	readonly commentary?: CommentaryStatus | undefined;
	/** False where all is gone when the process ends. */
	readonly isKept?: boolean | undefined;
	readonly now: number;
}
