import { inCredits } from '../spec/credits';
import type { CreateOperation } from '../spec/types';
import { describePrice } from './describe';
import { rangeOf } from './priceBoxes';
import { unitField } from './priceFields';

export const FREE = 'free';

/** What the jobs of an operation cost at the least and at the most: `120 to 300 credits`. */
export function priceInWords(operation: CreateOperation): string {
	const { low = 0, high } = rangeOf([operation]);
	if (high === undefined || unitField(operation)) return describePrice(operation.price);
	return high === 0 ? FREE : inCredits(low, high);
}
