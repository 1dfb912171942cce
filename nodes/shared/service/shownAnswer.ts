import { parseJson } from './parseJson';

/** Characters that are shown of a text in an answer: an identifier has fewer, a prompt often more. */
const MAX_STRING = 200;

/** An answer with its long texts cut, so that what is behind them is still to be seen. */
export function shownAnswer(text: string): string {
	const json = parseJson(text);
	return json === undefined ? text : JSON.stringify(json, shortened);
}

function shortened(_name: string, value: unknown): unknown {
	const isLong = typeof value === 'string' && value.length > MAX_STRING;
	return isLong ? `${value.slice(0, MAX_STRING)}…` : value;
}
