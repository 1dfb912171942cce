// node loadPackage.cjs <folder of an n8n package>: loads its nodes and credentials as n8n does, and prints the files
// that this has loaded.
const path = require('node:path');

// When n8n loads a package, it has already loaded these.
for (const name of ['n8n-workflow', 'zod/v3', 'luxon', 'lodash']) require(name);

const [, , folder] = process.argv;
const { n8n } = require(path.join(folder, 'package.json'));
const before = new Set(Object.keys(require.cache));

for (const /** @type {string} */ file of [...n8n.nodes, ...n8n.credentials]) {
	// The class has the file's name.
	const Class = require(path.join(folder, file))[path.basename(file).split('.')[0]];
	new Class();
}

console.log(JSON.stringify(Object.keys(require.cache).filter((file) => !before.has(file))));
