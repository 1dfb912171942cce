/** Sets a property that may be read-only or come from a prototype. */
exports.define = (target, name, value) => {
	Object.defineProperty(target, name, {
		value,
		configurable: true,
		enumerable: true,
		writable: true,
	});
};
