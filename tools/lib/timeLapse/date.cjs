/**
 * Gives the global Date another time. It uses nothing from outside, since it is also sent into
 * isolates.
 *
 * @param lapsedTime the function of that name
 * @returns what changes how fast time passes
 */
exports.lapseDate = function lapseDate(lapsedTime, timeLapse) {
	let time = lapsedTime(timeLapse);
	const RealDate = Date;
	const realNow = RealDate.now;
	const now = () => Math.floor(time.at(realNow()));
	// A proxy, so that everything else about it stays as it is: statics, `instanceof`, subclasses.
	globalThis.Date = new Proxy(RealDate, {
		apply: () => new RealDate(now()).toString(),
		construct: (target, values, newTarget) =>
			Reflect.construct(target, values.length > 0 ? values : [now()], newTarget),
	});
	RealDate.now = now;
	RealDate.prototype.constructor = globalThis.Date;
	return (next) => {
		time = lapsedTime(next);
	};
};
