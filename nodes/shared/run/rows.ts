import { promptOf } from '../output/itemFields';
import { cleanText } from '../service/shownText';
import { capitalized, firstInWords } from '../spec/conditions';
import type { ItemPlan } from './run';

/*
 * Items as a person counts them: n8n's editor numbers the rows of a table from 1. In data (`itemIndex`,
 * `$itemIndex`), items count from 0, as everywhere in n8n.
 */

export const rowNumber = (itemIndex: number): number => itemIndex + 1;

/** How many characters of its prompt name a row. */
const FIRST_WORDS = 40;

/** A row; its operation and values, where they are known. */
type Row = Pick<ItemPlan, 'itemIndex'> & Partial<ItemPlan>;

/** Names a row: `row 3, "A sourdough loaf"`; without a prompt `row 3`. */
export function rowInWords({ itemIndex, operation, values }: Row): string {
	const prompt = operation && values ? promptOf(operation, values) : undefined;
	const row = `row ${rowNumber(itemIndex)}`;
	return prompt === undefined ? row : `${row}, "${cleanText(prompt, FIRST_WORDS)}"`;
}

/** The same at the start of a sentence. */
export const rowFirst = (row: Row): string => capitalized(rowInWords(row));

const MOST_SHOWN = 10;

/** Names rows: `row 2`, `rows 2, 5 and 7`, `rows 1, 2 … and 90 more`. */
export function rowsInWords(items: ReadonlyArray<{ itemIndex: number }>): string {
	const numbers = items.map(({ itemIndex }) => rowNumber(itemIndex));
	return `${items.length === 1 ? 'row' : 'rows'} ${firstInWords(numbers, MOST_SHOWN)}`;
}
