const { performance } = require('node:perf_hooks');

const { define } = require('./define.cjs');

/** @param at gives the time of a moment of the machine's time, both ms since 1970 */
exports.lapsePerformance = (at) => {
	const realNow = performance.now.bind(performance);
	const { timeOrigin: realOrigin } = performance;
	const origin = at(realOrigin);
	define(performance, 'timeOrigin', origin);
	define(performance, 'now', () => at(realOrigin + realNow()) - origin);
};
