import { factsPl, handoffJson, requirementsMarkdown } from '../../../core/intake/handoff/files.ts';
import type { HandoffPacket } from '../../../core/intake/handoff-packet.ts';
import type { View } from '../../views/view.ts';

/** The packet as files: for people, for machines, for Prolog. */
export function handoffFiles(packet: HandoffPacket): NonNullable<View['files']> {
	return [
		{ name: 'requirements.md', text: requirementsMarkdown(packet) },
		{ name: 'handoff.json', text: handoffJson(packet) },
		{ name: 'facts.pl', text: factsPl(packet) },
	];
}
