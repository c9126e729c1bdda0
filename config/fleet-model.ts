import type { FleetSettings } from './fleet.ts';
import type { Price } from './model.ts';

interface ModelChoice {
	readonly provider: 'ollama' | 'anthropic';
	readonly name: string;
	readonly prices: Readonly<Record<string, Price>>;
}

/** The concierge's model, as set or the common one; its id is undefined when there is to be none. */
export function conciergeModel(
	concierge: Pick<FleetSettings['concierge'], 'model'>,
	common: ModelChoice,
): { id: string | undefined; isLocal: boolean; price: Price | undefined } {
	const id = concierge.model ?? `${common.provider}/${common.name}`;
	if (id === 'none') return { id: undefined, isLocal: true, price: undefined };
	const price = Object.hasOwn(common.prices, id) ? common.prices[id] : undefined;
	// Ollama's address may be a paid service: then somebody gave its model a price.
	return { id, isLocal: id.startsWith('ollama/') && price === undefined, price };
}

/** What is wrong with model and budget together, in words that say what to do; undefined = nothing. */
export function findUnpriced(fleet: FleetSettings, common: ModelChoice): string | undefined {
	const { id, isLocal, price } = conciergeModel(fleet.concierge, common);
	const runs = fleet.channelId !== undefined && id !== undefined;
	if (!runs || isLocal || price !== undefined || fleet.concierge.dailyBudgetUsd === 0) return undefined;
	return `a price for ${id}: without one its cost is unknown and no daily budget can hold. Set model.prices, or fleet.concierge.dailyBudgetUsd: 0`;
}
