/**
 * Counts how much work a function does: entries that methods of lists visit and compare, characters
 * that methods of texts read, bytes that are put together, characters of the outcome. Plain loops are
 * not counted.
 */
export async function workOf(act: () => unknown): Promise<number> {
	let work = 0;
	const restore = patches((count) => (work += count));
	let outcome: unknown;
	try {
		outcome = await act();
	} finally {
		restore();
	}
	return work + (JSON.stringify(outcome) ?? '').length;
}

type Method = (this: unknown, ...args: unknown[]) => unknown;
type Count = (count: number) => void;

/** Methods that call back for each entry they visit. */
const CALLING = ['find', 'findIndex', 'some', 'every', 'filter', 'map', 'flatMap', 'reduce'];

/** Methods that read all of their text, or may. */
const READING = [
	'split',
	'replace',
	'trim',
	'trimStart',
	'trimEnd',
	'match',
	'matchAll',
	'normalize',
];

/** @returns a function that undoes everything */
function patches(count: Count): () => void {
	const undo = [
		...CALLING.map((name) =>
			patch(Array.prototype, name, (original) => {
				return function (this: unknown, callback: unknown, ...rest: unknown[]) {
					const counted = function (this: unknown, ...args: unknown[]) {
						count(1);
						return (callback as Method).apply(this, args);
					};
					return original.call(this, counted, ...rest);
				};
			}),
		),
		...['includes', 'indexOf', 'join'].map((name) =>
			patch(Array.prototype, name, (original) => {
				return function (this: unknown, ...args: unknown[]) {
					count((this as unknown[]).length);
					return original.apply(this, args);
				};
			}),
		),
		...READING.map((name) =>
			patch(String.prototype, name, (original) => {
				return function (this: unknown, ...args: unknown[]) {
					count(String(this).length);
					return original.apply(this, args);
				};
			}),
		),
		patch(String.prototype, 'slice', (original) => {
			return function (this: unknown, ...args: unknown[]) {
				const part = original.apply(this, args) as string;
				count(part.length);
				return part;
			};
		}),
		patch(Buffer, 'concat', (original) => {
			return function (this: unknown, ...args: unknown[]) {
				const whole = original.apply(this, args) as Buffer;
				count(whole.length);
				return whole;
			};
		}),
	];
	return () => undo.forEach((take) => take());
}

function patch(owner: object, name: string, wrap: (original: Method) => Method): () => void {
	const methods = owner as Record<string, Method>;
	const original = methods[name] as Method;
	methods[name] = wrap(original);
	return () => void (methods[name] = original);
}
