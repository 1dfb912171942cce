import { fork } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import path from 'node:path';

import { timeLapseSettings, type TimeLapse } from '../../../tools/lib/lapsedTime.cjs';
import { removeFolder, temporaryFolder } from '../../../tools/lib/temporaryFolder.mjs';

/** Time that passes faster in a process: what it does not break, and what is as much faster. */

let folder: string;

beforeAll(async () => {
	folder = await temporaryFolder('mediagen-time-lapse-');
});

afterAll(async () => {
	await removeFolder(folder);
});

const PRELOAD = path.resolve('tools', 'lib', 'timeLapse.cjs');

/** Far from today, so that a time that is not lapsed is seen. */
const ANCHOR = Date.UTC(2030, 5, 1);

/** 1,000 times: an hour takes 3.6 seconds. */
const FAST = { factor: 1000, anchor: ANCHOR };

/**
 * Runs a program in a process of its own.
 *
 * @param program the body of an async function; what it returns is given back
 */
async function run(program: string, timeLapse: TimeLapse, next?: () => TimeLapse) {
	const file = path.join(folder, `${Math.random()}.cjs`);
	await fs.writeFile(
		file,
		`const util = require('node:util');
		(async () => {${program}})().then((result) => {
			process.send({ result });
			process.disconnect();
		});`,
	);
	const child = fork(file, { execArgv: ['--require', PRELOAD], env: timeLapseSettings(timeLapse) });
	if (next) {
		await once(child, 'message');
		child.send({ timeLapse: next() });
	}
	const [{ result }] = await once(child, 'message');
	return result;
}

const now = () => ({ ...FAST, since: Date.now() });

test('Date is what it was, but for the time', async () => {
	const result = await run(
		`class Day extends Date { get isDay() { return true; } }
		const day = new Day();
		return {
			given: new Date(2020, 1, 3, 4, 5).getMinutes(),
			text: Date().slice(11, 15),
			instance: new Date() instanceof Date && new Date().constructor === Date,
			day: [day instanceof Day, day instanceof Date, day.isDay, day.getUTCFullYear()],
			statics: [Date.UTC(2020, 0), Date.parse('2020-01-01T00:00:00Z'), Date.name, Date.length],
			isDate: util.types.isDate(new Date()),
			year: [new Date().getUTCFullYear(), new Date(Date.now()).getUTCFullYear()],
			origin: Math.abs(performance.timeOrigin + performance.now() - Date.now()) < 3_600_000,
		};`,
		now(),
	);
	expect(result).toEqual({
		given: 5,
		text: '2030',
		instance: true,
		day: [true, true, true, 2030],
		statics: [1_577_836_800_000, 1_577_836_800_000, 'Date', 7],
		isDate: true,
		year: [2030, 2030],
		origin: true,
	});
});

/** Each takes 5 minutes. */
const WAITS = {
	setTimeout: 'await new Promise((wake) => setTimeout(wake, 300_000))',
	'node:timers': `await new Promise((wake) => require('node:timers').setTimeout(wake, 300_000))`,
	setInterval: `await new Promise((wake) => {
		let times = 0;
		const interval = setInterval(() => {
			times += 1;
			if (times < 3) return;
			clearInterval(interval);
			wake();
		}, 100_000);
	})`,
	refresh: `await new Promise((wake) => {
		const timer = setTimeout(wake, 200_000);
		setTimeout(() => timer.refresh(), 100_000);
	})`,
	promisify: 'await util.promisify(setTimeout)(300_000)',
	'timers/promises': `await require('node:timers/promises').setTimeout(300_000)`,
	'as a module': `await (await import('node:timers/promises')).setTimeout(300_000)`,
	scheduler: `await require('node:timers/promises').scheduler.wait(300_000)`,
	'an endless interval': `for await (const index of endless()) if (index === 2) break;
	async function* endless() {
		let index = 0;
		for await (const _ of require('node:timers/promises').setInterval(100_000)) yield index++;
	}`,
	'AbortSignal.timeout': `await new Promise((wake) => {
		// The signal alone keeps no process alive.
		const stay = setInterval(() => {}, 1_000_000);
		AbortSignal.timeout(300_000).addEventListener('abort', () => wake(clearInterval(stay)));
	})`,
};

test.each(Object.entries(WAITS))('%s takes its time, and not the machine', async (_, wait) => {
	const [ms, performanceMs, machineMs] = await run(
		`const starts = [Date.now(), performance.now(), process.hrtime()];
		${wait};
		const [seconds, nanoseconds] = process.hrtime(starts[2]);
		return [Date.now() - starts[0], performance.now() - starts[1], seconds * 1000 + nanoseconds / 1e6];`,
		now(),
	);
	// A timer of Node may be 1 ms early by the clock.
	expect(ms).toBeGreaterThanOrEqual(299_000);
	expect(performanceMs).toBeGreaterThanOrEqual(299_000);
	// What 5 minutes are, and a machine that is busy.
	expect(machineMs).toBeLessThan(60_000);
});

test('delays that Node takes for none stay that', async () => {
	const program = `const waited = [];
		const wait = (ms) => new Promise((wake) => setTimeout(wake, ms)).then(() => waited.push(ms));
		await Promise.all([wait(2 ** 31), wait(-1), wait(undefined), wait(NaN)]);
		return waited.length;`;
	expect(await run(program, now())).toBe(4);
});

test('timers can be cleared, and take their values along', async () => {
	const program = `clearTimeout(setTimeout(() => process.exit(1), 1000));
		clearInterval(setInterval(() => process.exit(1), 1000));
		return await new Promise((wake) => setTimeout((...values) => wake(values), 10_000, 'a', 'b'));`;
	expect(await run(program, now())).toEqual(['a', 'b']);
});

test('a later start of a process is at a later time', async () => {
	const timeLapse = now();
	const first = await run('return Date.now();', timeLapse);
	expect(await run('return Date.now();', timeLapse)).toBeGreaterThan(first);
});

test('changed while it runs: timers under way are set anew, intervals too', async () => {
	const start = Date.now();
	const [ms, ...fired] = await run(
		`const start = Date.now();
		const fired = [];
		const interval = setInterval(() => fired.push('interval'), 1_000_000);
		const wake = new Promise((wake) => setTimeout(wake, 3_900_000));
		clearTimeout(setTimeout(() => fired.push('cleared'), 2_000_000));
		process.send('started');
		await wake;
		clearInterval(interval);
		return [Date.now() - start, ...fired];`,
		{ factor: 1, anchor: ANCHOR, since: start },
		() => {
			const since = Date.now();
			return { factor: 1000, anchor: ANCHOR + since - start, since };
		},
	);
	expect(ms).toBeGreaterThanOrEqual(3_899_000);
	expect(fired).toEqual(['interval', 'interval', 'interval']);
});

test.each([
	[{ factor: 0.5, anchor: 0 }, 'Time cannot pass 0.5 times as fast'],
	[{ factor: 10, anchor: NaN }, 'no moments in time'],
])('%j is refused', async (timeLapse, problem) => {
	const file = path.join(folder, 'empty.cjs');
	await fs.writeFile(file, '');
	const child = fork(file, {
		execArgv: ['--require', PRELOAD],
		env: timeLapseSettings(timeLapse),
		silent: true,
	});
	let printed = '';
	child.stderr?.on('data', (chunk) => (printed += chunk));
	expect((await once(child, 'close'))[0]).toBe(1);
	expect(printed).toContain(problem);
});
