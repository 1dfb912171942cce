import type { CreateOperation, Operation } from '../../../nodes/shared/spec/operation.ts';
import { priceInWords } from '../../../nodes/shared/spec/price.ts';
import { between } from './markdown.mts';
import { NODES } from './reference.mts';

const isCreation = (operation: Operation): operation is CreateOperation =>
	operation.kind === 'create';

const NOT_DOCUMENTED = 'not documented';

const NOTE =
	'The lowest price includes the discount for making the prompt public (_Publish in Prompt Directory_), where its amount is documented.';

export const withPrices = (page: string): string =>
	between(page, 'prices', `${pricesList()}\n\n${NOTE}`);

/** What the jobs of each resource cost, by node. Resources without a documented price share one line. */
function pricesList(): string {
	return NODES.filter(({ catalog }) => catalog.operations.some(isCreation))
		.flatMap((node) => [`- ${node.label}`, ...linesOf(node)])
		.join('\n');
}

function linesOf({ catalog: { resources, operations } }: (typeof NODES)[number]): string[] {
	const rows = resources.flatMap(({ label, value }) => {
		const own = operations.filter(isCreation).filter(({ resource }) => resource === value);
		return own.length > 0 ? [{ label, price: pricesInWords(own) }] : [];
	});
	const unknown = rows.filter(({ price }) => price === NOT_DOCUMENTED);
	const known = rows.filter((row) => !unknown.includes(row));
	const rest = { label: unknown.map(({ label }) => label).join(', '), price: NOT_DOCUMENTED };
	return [...known, ...(rest.label ? [rest] : [])].map(
		({ label, price }) => `  - **${label}**: ${price}`,
	);
}

/** One price for all operations of a resource, or the price of each; if most share a price, that comes first. */
function pricesInWords(operations: readonly CreateOperation[]): string {
	const byPrice = new Map<string, string[]>();
	for (const operation of operations) {
		const price = [priceInWords(operation) ?? NOT_DOCUMENTED, operation.price?.doubt]
			.filter(Boolean)
			.join('; ');
		byPrice.set(price, [...(byPrice.get(price) ?? []), operation.label]);
	}
	const [first = ['', []], ...others] = [...byPrice].sort(
		([, some], [, more]) => more.length - some.length,
	);
	const [most, labels] = first;
	const isCommon = labels.length > operations.length / 2;
	const named = (isCommon ? others : [first, ...others]).map(
		([price, names]) => `${names.join(', ')}: ${price}`,
	);
	return [...(isCommon ? [most] : []), ...named].join('; ');
}
