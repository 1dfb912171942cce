/** A number with its noun: `1 item`, `8 items`. */
export const counted = (count: number, one: string, several = `${one}s`): string =>
	`${count} ${count === 1 ? one : several}`;

/** Numbers of items that are shown of a long list. */
const MOST_SHOWN = 10;

/** Names items: `item 2`, `items 2, 5 and 7`, `items 0, 1 … and 90 more`. */
export function itemsInWords(indexes: readonly number[]): string {
	const shown = indexes.slice(0, MOST_SHOWN);
	const more = indexes.length - shown.length;
	const last = more > 0 ? `${more} more` : shown.pop();
	const list = shown.length > 0 ? `${shown.join(', ')} and ${last}` : String(last);
	return indexes.length === 1 ? `item ${list}` : `items ${list}`;
}
