const { syncBuiltinESMExports } = require('node:module');

const { lapsedTime, timeLapseIn } = require('./lapsedTime.cjs');
const { lapseDate } = require('./timeLapse/date.cjs');
const { lapseIsolates } = require('./timeLapse/isolates.cjs');
const { lapsePerformance } = require('./timeLapse/performance.cjs');
const { lapseTimers } = require('./timeLapse/timers.cjs');

/**
 * Loaded into n8n before its own code, and not into its children: time passes faster in this process
 * (`timeLapseSettings` in lapsedTime.cjs), on its clocks and for its timers. The process that started
 * it may change how fast by a message, `{ timeLapse }`.
 *
 * What it does not reach: timers of Node's own, such as time-outs of sockets, which stay as long as
 * they are; `process.hrtime` and `process.uptime`; contexts of `node:vm`, which have a Date of their
 * own; what a database calls now.
 */
let timeLapse = timeLapseIn(process.env);
let time = lapsedTime(timeLapse);
const realNow = Date.now;

const changeTimers = lapseTimers({
	now: () => time.at(realNow()),
	real: (ms) => time.real(ms),
});
const changeDates = [lapseDate(lapsedTime, timeLapse), lapseIsolates(() => timeLapse)];
lapsePerformance((real) => time.at(real));
syncBuiltinESMExports();

process.on('message', ({ timeLapse: next }) => {
	if (!next) return;
	timeLapse = next;
	time = lapsedTime(next);
	for (const change of changeDates) change(next);
	changeTimers();
});
