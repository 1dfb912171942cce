// node loadPackage.cjs <folder of an n8n package> [<module of it>]: loads its nodes and credentials as
// n8n does, then the module, and prints what that took.
const path = require('node:path');

// When n8n loads a package, it has already loaded these.
for (const name of ['n8n-workflow', 'zod/v3', 'luxon', 'lodash']) require(name);

const [, , folder, later] = process.argv;
const { n8n } = require(path.join(folder, 'package.json'));
const before = new Set(Object.keys(require.cache));
const isNew = (/** @type {string} */ file) => !before.has(file);

/** @param {string} file As named in package.json; the class has the file's name. */
function load(file) {
	const Class = require(path.join(folder, file))[path.basename(file).split('.')[0]];
	return new Class();
}

const start = performance.now();
const nodes = n8n.nodes.map(load);
n8n.credentials.map(load);
const ms = performance.now() - start;
const files = Object.keys(require.cache).filter(isNew);

const laterStart = performance.now();
if (later) require(path.join(folder, later));
const laterMs = performance.now() - laterStart;

const descriptions = nodes.flatMap((/** @type {any} */ node) =>
	// A node with several versions has one description for each.
	node.nodeVersions ? Object.values(node.nodeVersions) : [node],
);
const sizes = { bytes: 0, triggerBytes: 0 };
for (const { description } of descriptions) {
	const kind = description.group?.includes('trigger') ? 'triggerBytes' : 'bytes';
	sizes[kind] += Buffer.byteLength(JSON.stringify(description));
}
console.log(JSON.stringify({ ms, laterMs, files, ...sizes, nodes: nodes.length }));
