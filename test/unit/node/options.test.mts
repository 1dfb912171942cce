import { readOptions } from '../../../nodes/shared/run/parameters.ts';

/** The options as a workflow has them, in its JSON or by expressions. */
const read = (options: unknown) => () =>
	readOptions((name, fallback) => (name === 'options' ? options : fallback));

const A_YEAR = 31_536_000;

test.each([1, 600, 2_147_484, A_YEAR, '900'])('a timeout of %p s is taken', (timeout) => {
	expect(read({ timeout })().timeout).toBe(Number(timeout));
});

describe('a number of seconds that no wait can last is refused before any charge', () => {
	test.each([
		['timeout', Infinity, 'must be at most 31536000 seconds (a year), but is Infinity'],
		['timeout', A_YEAR + 1, 'must be at most 31536000 seconds (a year), but is 31536001'],
		['timeout', '1e400', 'must be at most 31536000 seconds (a year), but is "1e400"'],
		['timeout', NaN, 'must be a number of seconds, but is NaN'],
		['timeout', 'for ever', 'must be a number of seconds, but is "for ever"'],
		['timeout', -1, 'must be at least 1 second, but is -1'],
		['timeout', null, 'must be at least 1 second, but is null'],
		['pollInterval', Infinity, 'must be at most 31536000 seconds (a year), but is Infinity'],
		['pollInterval', NaN, 'must be a number of seconds, but is NaN'],
		['maxFileSize', Infinity, 'must be a number of MB, but is Infinity'],
	])('%s %p', (name, value, message) => {
		expect(read({ [name]: value })).toThrow(`Options > ${name} ${message}`);
	});
});
