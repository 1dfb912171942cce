import { inCredits, describePrice } from '../spec/credits';
import { priceOf } from '../spec/price';
import type { CreateOperation } from '../spec/types';
import { rangeOf } from './priceBoxes';
import { unitField } from './priceFields';

export const FREE = 'free';

/** What the jobs of an operation cost at the least and at the most: `120 to 300 credits`. */
export function priceInWords(operation: CreateOperation): string {
	const { low = 0, high } = rangeOf([operation]);
	if (high === undefined || unitField(operation)) return describePrice(operation.price);
	if (high === 0) return FREE;
	const isMost = low === high && !priceOf(operation, {}).exact;
	return `${isMost ? 'at most ' : ''}${inCredits(low, high)}`;
}
