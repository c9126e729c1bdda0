import { type Finding, findingsOf } from './finding.ts';

export interface ModelFacts {
	/** `provider/model`. */
	readonly id: string;
	readonly isPaid: boolean;
	readonly hasPrice: boolean;
	readonly presence: { readonly ok: true; readonly detail: string } | ModelTrouble;
	/** What a one-word question gave; undefined when it was not asked. */
	readonly answer?: { readonly ok: true; readonly ms: number } | ModelTrouble;
	/** Models that the provider has, where it could be asked. */
	readonly others: readonly string[];
}

interface ModelTrouble {
	readonly ok: false;
	readonly code: string;
	readonly message: string;
	readonly hint: string;
}

/** A local model that needs longer for one word makes people wait. */
const SLOW_MS = 20_000;
const { error, warning, info } = findingsOf('model');

/** There, answering, and with a price where it costs money. */
export function judgeModel({ id, isPaid, hasPrice, presence, answer, others }: ModelFacts): Finding[] {
	const findings: Finding[] = [];
	if (!presence.ok) {
		const names = others.slice(0, 8).join(', ');
		const instead =
			presence.code === 'missing_model' && names !== '' ? ` Or set model.name to one that is there: ${names}.` : '';
		findings.push(error(`model_${presence.code}`, `${id}: ${presence.message}.`, `${presence.hint}${instead}`));
	} else if (answer && !answer.ok)
		findings.push(error(`model_${answer.code}`, `${id} is there and does not answer: ${answer.message}.`, answer.hint));
	else if (answer?.ok && answer.ms > SLOW_MS)
		findings.push(
			info(
				'model_slow',
				`${id} took ${Math.round(answer.ms / 1_000)} s for one word.`,
				'The first answer after loading is slow; ask again. If it stays, take a smaller model or keep it loaded (model.ollama.keepAliveSeconds: -1).',
			),
		);
	if (isPaid && !hasPrice)
		findings.push(
			warning(
				'model_price',
				`${id} costs money and has no price in the settings: costs are unknown and no budget can hold it back.`,
				`Add model.prices: { ${id}: { input: …, output: … } } in US dollars for a million tokens.`,
			),
		);
	return findings;
}
