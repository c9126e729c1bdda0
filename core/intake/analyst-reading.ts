import { DIMENSION_NAMES, DIMENSIONS, type Dimension } from './dimension.ts';
import type { HandoffPacket } from './handoff-packet.ts';

/** What the business analyst makes of a packet: its acknowledgement, before any work begins. */
export interface AnalystReading {
	readonly packetId: string;
	readonly projectName: string;
	readonly summary: string;
	/** What can be worked on, by kind of requirement; kinds without any are left out. */
	readonly clear: readonly {
		readonly dimension: Dimension;
		readonly name: string;
		readonly requirements: readonly string[];
	}[];
	/** What has to be asked before work on it can begin. */
	readonly missing: readonly {
		readonly dimension: Dimension;
		readonly name: string;
		readonly why: 'not_asked' | 'not_answered' | 'left_for_later' | 'no_requirement';
	}[];
	/** What was not said by the person and is taken as so until somebody objects. */
	readonly assumed: readonly string[];
	/** What the next step is. */
	readonly next: 'plan' | 'clarify' | 'ask_a_person';
}

const STAND_INS: Readonly<Record<string, string>> = {
	summary: 'The summary is the wish in its own words, because no summary was given.',
	name: 'The name was made from the wish.',
	all: 'Nothing was compiled by the model: summary and name come from the wish itself.',
};

/** Reads a packet without any model: the same packet always gives the same reading. */
export function readAsAnalyst(packet: HandoffPacket): AnalystReading {
	const { body } = packet;
	const of = (dimension: Dimension) => body.requirements.filter((item) => item.dimension === dimension);
	const clear = DIMENSIONS.filter((dimension) => of(dimension).length > 0).map((dimension) => ({
		dimension,
		name: DIMENSION_NAMES[dimension],
		requirements: of(dimension).map(({ id, text }) => `${id} ${text}`),
	}));
	const missing = DIMENSIONS.flatMap((dimension) => {
		const why = whyMissing(body.dimensions[dimension], of(dimension).length > 0);
		return why === undefined ? [] : [{ dimension, name: DIMENSION_NAMES[dimension], why }];
	});
	const assumed = [
		...body.stand_ins.map((name) => STAND_INS[name] ?? `Stand-in: ${name}.`),
		body.UI_REQUIREMENTS
			? 'A user interface is wanted: words of the person say so.'
			: 'No user interface is wanted: nobody asked for one.',
		...(body.trigger === 'forced'
			? ['What was said is all there is: the asking was ended before it was complete.']
			: []),
		...(body.excluded_facts.length > 0
			? [`${body.excluded_facts.length} statements were left out, because nothing the person said supports them.`]
			: []),
	];
	return {
		packetId: packet.id,
		projectName: body.PROJECT_NAME,
		summary: body.TASK_SUMMARY,
		clear,
		missing,
		assumed,
		next: body.requires_escalation
			? 'ask_a_person'
			: clear.length === 0 || missing.some(isBlocking)
				? 'clarify'
				: 'plan',
	};
}

function whyMissing(
	status: HandoffPacket['body']['dimensions'][Dimension],
	hasRequirement: boolean,
): AnalystReading['missing'][number]['why'] | undefined {
	if (hasRequirement) return undefined;
	if (status === 'open') return 'not_asked';
	if (status === 'asked') return 'not_answered';
	if (status === 'deferred') return 'left_for_later';
	return 'no_requirement';
}

/** Without knowing what it should do, nothing can be planned; the rest can be settled on the way. */
function isBlocking({ dimension }: AnalystReading['missing'][number]): boolean {
	return dimension === 'D1';
}
