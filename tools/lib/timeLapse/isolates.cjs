const Module = require('node:module');

const { lapsedTime } = require('../lapsedTime.cjs');
const { lapseDate } = require('./date.cjs');

/**
 * Gives the Date of all isolates another time: n8n evaluates expressions, such as `$now`, in them.
 *
 * @param timeLapse gives how fast time passes at present
 * @returns what changes it
 */
exports.lapseIsolates = (timeLapse) => {
	const contexts = new Contexts(timeLapse);
	const { _load: load } = Module;
	/** Nothing in the module can be changed: a copy is. */
	let copy;
	Module._load = function (request, ...rest) {
		const loaded = load.call(this, request, ...rest);
		if (request !== 'isolated-vm') return loaded;
		copy ??= Object.create(loaded, { Isolate: { value: lapsed(loaded.Isolate, contexts) } });
		return copy;
	};
	return (next) => contexts.change(next);
};

function lapsed(Isolate, contexts) {
	const changed = {
		createContext: async (create) => {
			const context = await create();
			contexts.add(await context.eval(contexts.source(), { reference: true }));
			return context;
		},
		createContextSync: (create) => {
			const context = create();
			contexts.add(context.evalSync(contexts.source(), { reference: true }));
			return context;
		},
	};
	const get = (isolate, name) => {
		if (typeof isolate[name] !== 'function') return isolate[name];
		const method = isolate[name].bind(isolate);
		const change = Object.hasOwn(changed, name) && changed[name];
		return change ? (...values) => change(() => method(...values)) : method;
	};
	return new Proxy(Isolate, {
		construct: (target, values) => new Proxy(new target(...values), { get }),
	});
}

/** All contexts: by a reference, for each, to what changes how fast time passes in it. */
class Contexts {
	references = new Set();

	constructor(timeLapse) {
		this.timeLapse = timeLapse;
	}

	source() {
		return `(${lapseDate})(${lapsedTime}, ${JSON.stringify(this.timeLapse())})`;
	}

	add(reference) {
		this.references.add(reference);
	}

	change(next) {
		for (const reference of this.references) {
			try {
				reference.applyIgnored(undefined, [next], { arguments: { copy: true } });
			} catch {
				// The isolate is gone.
				this.references.delete(reference);
			}
		}
	}
}
