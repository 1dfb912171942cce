const timers = require('node:timers');
const promises = require('node:timers/promises');
const { promisify } = require('node:util');

const { define } = require('./define.cjs');

/** The longest delay of a timer, ms; Node makes 1 ms of a longer one. */
const LONGEST = 2 ** 31 - 1;

/**
 * Gives the timers another time.
 *
 * @param time with `now()`, ms since 1970, and `real(ms)`, how long the machine takes for ms
 * @returns to be called when it has changed how fast time passes: sets what is under way anew; of
 *   `node:timers/promises`, that stays as it is
 */
exports.lapseTimers = (time) => {
	// Delays that Node treats as none are left to it.
	const shortened = (ms) => (ms >= 1 && ms <= LONGEST ? time.real(ms) : ms);
	const underWay = new UnderWay(time);
	for (const name of ['setTimeout', 'setInterval']) {
		const { [name]: start } = timers;
		const lapsed = (callback, ms, ...values) =>
			underWay.add(start(callback, shortened(ms), ...values), ms);
		define(timers, name, lapsed);
		define(globalThis, name, lapsed);
		const { [name]: promise } = promises;
		define(promises, name, (ms, ...rest) => promise(shortened(ms), ...rest));
	}
	define(timers.setTimeout, promisify.custom, promises.setTimeout);
	define(promises.scheduler, 'wait', (ms, options) => promises.setTimeout(ms, undefined, options));
	define(AbortSignal, 'timeout', abortAfter);
	return () => underWay.setAnew();
};

/** AbortSignal.timeout; whether Node's own takes its timer from node:timers depends. */
function abortAfter(ms) {
	const controller = new AbortController();
	const reason = new DOMException('The operation was aborted due to timeout', 'TimeoutError');
	timers.setTimeout(() => controller.abort(reason), ms).unref();
	return controller.signal;
}

/** Timers that have been started and not collected yet. */
class UnderWay {
	constructor(time) {
		this.time = time;
		this.timers = new Set();
		this.collected = new FinalizationRegistry((entry) => this.timers.delete(entry));
	}

	/** @param ms as it was asked for */
	add(timer, ms) {
		if (ms > 1 && ms <= LONGEST) {
			const entry = {
				timer: new WeakRef(timer),
				ms: Number(ms),
				due: this.time.now() + Number(ms),
			};
			this.timers.add(entry);
			this.collected.register(timer, entry);
		}
		return timer;
	}

	setAnew() {
		for (const { timer: reference, ms, due } of this.timers) {
			const timer = reference.deref();
			if (!timer || timer._destroyed) continue;
			const isInterval = timer._repeat !== null;
			const left = isInterval ? ms : Math.max(1, due - this.time.now());
			// Node has no other way to change the delay of a timer that others hold.
			timer._idleTimeout = this.time.real(left);
			if (isInterval) timer._repeat = timer._idleTimeout;
			timer.refresh();
		}
	}
}
