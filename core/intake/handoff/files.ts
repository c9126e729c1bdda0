import { canonicalJson } from '../canonical-json.ts';
import { DIMENSION_NAMES, DIMENSIONS } from '../dimension.ts';
import type { Evidence } from '../fact.ts';
import type { HandoffPacket } from '../handoff-packet.ts';

/** Text that cannot open markup or ping anybody when a reader shows it. */
function plain(text: string): string {
	return text
		.replace(/\s+/gu, ' ')
		.replace(/([\\`*_[\]<>#|~])/g, '\\$1')
		.replace(/@/g, '@\u200b')
		.trim();
}

function said(evidence: readonly Evidence[]): string {
	return evidence.map(({ quote, turnId }) => `"${plain(quote)}" (${turnId})`).join('; ');
}

/** `requirements.md`: what a person reads. */
export function requirementsMarkdown(packet: HandoffPacket): string {
	const { body } = packet;
	const out = [`# ${plain(body.display_name)}`, '', plain(body.TASK_SUMMARY), ''];
	const note =
		body.trigger === 'forced' ? `Compiled before the intake was complete (${body.cause.replaceAll('_', ' ')}).` : '';
	out.push(
		`Packet ${packet.id} ${plain(packet.label)}, user interface: ${body.UI_REQUIREMENTS ? 'yes' : 'no'}. ${note}`.trim(),
		'',
	);
	for (const dimension of DIMENSIONS) {
		const own = body.requirements.filter((one) => one.dimension === dimension);
		out.push(`## ${dimension} ${DIMENSION_NAMES[dimension]} (${body.dimensions[dimension]})`, '');
		if (own.length === 0) out.push('Nothing was established.');
		for (const one of own) out.push(`- **${one.id}** ${plain(one.text)}`, `  - rests on ${said(one.evidence)}`);
		out.push('');
	}
	const list = (title: string, lines: readonly string[]) => {
		if (lines.length > 0) out.push(`## ${title}`, '', ...lines.map((line) => `- ${line}`), '');
	};
	list('Missing', body.missing_info.map(plain));
	list(
		'Said but not used',
		body.not_used.map((one) => said([one])),
	);
	list(
		'Facts left out',
		body.excluded_facts.map(({ text, reason }) => `${plain(text)}: ${reason.replaceAll('_', ' ')}`),
	);
	return `${out.join('\n').trimEnd()}\n`;
}

/** `handoff.json`: the packet as it is signed, canonical. */
export function handoffJson(packet: HandoffPacket): string {
	return `${canonicalJson(packet)}\n`;
}

/** `facts.pl`: the canonical facts, loadable without a message: predicates are declared, clauses of one are together. */
export function factsPl(packet: HandoffPacket): string {
	const facts = packet.body.PROLOG_FACTS;
	return `% ${packet.id}: facts of an intake, one a line.\n% sha256 ${packet.body.facts_hash}\n${facts}`;
}
