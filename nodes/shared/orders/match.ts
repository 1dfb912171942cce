import type { Order } from './order';

/** A row of the node's input; `asks` is absent while its request is not known. */
export type Asking = Pick<Order, 'row' | 'source'> & Partial<Pick<Order, 'asks'>>;

/**
 * Gives rows the orders that are theirs already (money rule 2), each order to one row:
 *
 * 1. a row that comes from the same input item, with the same fields typed: whatever `$now` or a random word makes of its
 *    request, it is the same order;
 * 2. else a row that asks for the same, since a person may have changed the node for other rows only.
 *
 * Of several items that are alike, the one in its place goes first: their requests may differ by their index. What is
 * left belongs to no row.
 *
 * @param orders the best first, where several are alike
 */
export function match(orders: readonly Order[], rows: readonly Asking[]): Map<number, Order> {
	const own = new Map<number, Order>();
	const taken = new Set<Order>();
	for (const keyOf of SAME) {
		const free = new Map<string, Order[]>();
		for (const order of orders) {
			const key = keyOf(order);
			if (key === undefined || taken.has(order)) continue;
			const alike = free.get(key);
			if (alike) alike.push(order);
			else free.set(key, [order]);
		}
		for (const row of rows) {
			const key = own.has(row.row) ? undefined : keyOf(row);
			const order = key === undefined ? undefined : free.get(key)?.shift();
			if (!order) continue;
			own.set(row.row, order);
			taken.add(order);
		}
	}
	return own;
}

/**
 * The rows whose source tells whose an order is, though a person may have changed the list: no other row has it, and no two
 * orders. Of the others, only the request tells.
 */
export function unmistakable(orders: readonly Order[], rows: readonly Asking[]): Asking[] {
	const isOnce = (list: ReadonlyArray<Pick<Asking, 'source'>>) => {
		const seen = new Map<string | undefined, number>();
		for (const { source } of list) seen.set(source, (seen.get(source) ?? 0) + 1);
		return ({ source }: Asking) => (seen.get(source) ?? 0) <= 1;
	};
	const [isOnceInRows, isOnceInOrders] = [isOnce(rows), isOnce(orders)];
	return rows.filter(
		(row) => row.source === undefined || (isOnceInRows(row) && isOnceInOrders(row)),
	);
}

/** What has to be the same, the surest first. */
const SAME: ReadonlyArray<(one: Asking) => string | undefined> = [
	({ source, row }) => source && `${source} ${row}`,
	({ source }) => source,
	({ asks }) => asks,
];
