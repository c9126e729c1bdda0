import type { FleetSession } from '../../../core/fleet/session.ts';
import { transcriptView } from '../../../core/fleet/thread-view.ts';
import type { Log } from '../../../core/ports.ts';
import type { Translate } from '../../catalogue.ts';
import { codeBlock, type View } from '../../views/view.ts';
import type { FleetPorts } from '../fleet-ports.ts';

const WAIT_MS = 8_000;
/** What fits into a message beside its head; more goes into a file. */
const INLINE_MAX = 1_500;

/** The transcript of a session on demand: what its agent gives, else the last lines that it reported. */
export async function showTranscript(
	deps: { readonly ports: Pick<FleetPorts, 'transcript'>; readonly log: Log },
	session: FleetSession,
	lines: number,
	t: Translate,
): Promise<View> {
	const full = await deps.ports
		.transcript?.(session.id, lines, AbortSignal.timeout(WAIT_MS))
		.catch((error: unknown) => {
			deps.log.warn(
				{ error, sessionId: session.id },
				'a transcript could not be fetched; its reported lines are shown',
			);
			return undefined;
		});
	const text = transcriptView(session, full, lines);
	const head = t(full === undefined ? 'fleet.thread.transcriptTail' : 'fleet.thread.transcript', {
		name: session.name,
		count: text.split('\n').length,
	});
	if (text.length <= INLINE_MAX) return { content: `${head}\n${codeBlock(text, INLINE_MAX + 100)}` };
	return { content: head, files: [{ name: `${session.name}-transcript.txt`, text }] };
}
