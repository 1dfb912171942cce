import { readOptions } from '../../../nodes/shared/run/readParameters.ts';

/** The options as a workflow has them, in its JSON or by expressions. */
const read = (options: unknown) => () =>
	readOptions((name, fallback) => (name === 'options' ? options : fallback));

const A_YEAR = 31_536_000;

test.each([1, 600, 2_147_484, A_YEAR, '900'])('a timeout of %p s is taken', (timeout) => {
	expect(read({ timeout })().timeout).toBe(Number(timeout));
});

test.each([null, undefined, '', ' '])(
	'an expression that gives %p leaves the default',
	(nothing) => {
		expect(read({ timeout: nothing })().timeout).toBe(600);
	},
);

describe('a number of seconds that no wait can last is refused before any charge', () => {
	test.each([
		['timeout', Infinity, 'must be a number, but is Infinity'],
		['timeout', A_YEAR + 1, 'must be between 1 and 31536000, but is 31536001'],
		['timeout', '1e400', 'must be a number, but is "1e400"'],
		['timeout', NaN, 'must be a number, but is NaN'],
		['timeout', 'for ever', 'must be a number, but is "for ever"'],
		['timeout', -1, 'must be between 1 and 31536000, but is -1'],
	])('%s %p', (name, value, message) => {
		expect(read({ [name]: value })).toThrow(`Options > Timeout ${message}`);
	});
});
