import type { Settled } from '../jobs/batch';
import type { ItemPlan } from '../run/run';
import { deserializeResult, type Serialized, serializeResult } from './serialize';

/**
 * The plans of a durable run on their way through n8n's database. What they have in common, such as the
 * table of the operation, is there once, however many items there are.
 */
export interface StoredPlans {
	shared: Shared[];
	/** By item. */
	items: Array<Serialized<Own>>;
}

type Shared = Pick<ItemPlan, 'operation' | 'options'> & {
	request: Omit<ItemPlan['request'], 'body'>;
};

/** What an item has of its own. */
interface Own extends Pick<ItemPlan, 'values'> {
	/** Which of those that are shared. */
	shared: number;
	/** Of the request; the values where absent, as most requests send just these. */
	body?: ItemPlan['request']['body'] | null;
}

export function storePlans(plans: ReadonlyArray<Settled<ItemPlan>>): StoredPlans {
	const shared = new Map<string, number>();
	const items = plans.map((plan) => {
		if (!('value' in plan)) return serializeResult(plan);
		const { operation, options, values, request } = plan.value;
		const { body = null, ...rest } = request;
		const text = JSON.stringify({ operation, options, request: rest });
		const index = shared.get(text) ?? shared.size;
		shared.set(text, index);
		const isValues = JSON.stringify(body) === JSON.stringify(values);
		return { value: { shared: index, values, ...(!isValues && { body }) } };
	});
	const texts = [...shared.keys()];
	// A copy, as n8n stores it: nobody else changes it.
	return {
		shared: texts.map((text) => JSON.parse(text) as Shared),
		items: JSON.parse(JSON.stringify(items)) as StoredPlans['items'],
	};
}

/** The parameters have been read; whatever else is asked for has its fallback. */
export function plansIn({ shared, items }: StoredPlans): Array<Settled<ItemPlan>> {
	return items.map((item, itemIndex) => {
		if (!('value' in item)) return deserializeResult(item);
		const { values, body = values } = item.value;
		const { operation, options, request } = shared[item.value.shared] as Shared;
		return {
			value: {
				itemIndex,
				operation,
				values,
				request: { ...request, ...(body && { body }) },
				options,
				read: (_, fallback) => fallback,
			},
		};
	});
}

/** With so much more time for each job, ms. */
export function withMoreTime({ shared, items }: StoredPlans, ms: number): StoredPlans {
	const later = (one: Shared): Shared => ({
		...one,
		options: { ...one.options, timeout: one.options.timeout + Math.max(0, ms) / 1000 },
	});
	return { shared: shared.map(later), items };
}
