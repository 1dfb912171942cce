import fs from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

/** The nodes that give out what an operation makes. */
const KINDS = ['Account', 'Image', 'Music', 'Video'];

/** Of the one version that all nodes have. */
const VERSION = 'v1.0.0';

/**
 * Writes for each operation what it gives out, where n8n's editor looks for it: its fields can be mapped before it
 * has run. The compiler has written into `dist` before.
 */
export async function writeOutputSchemas() {
	const shared = path.resolve('dist', 'nodes', 'shared');
	const load = createRequire(path.join(shared, 'index.js'));
	const { outputSchema } = load('./output/outputSchema.js');
	const catalogs = load('./spec/catalogs.js');
	for (const kind of KINDS) {
		for (const operation of catalogs[`${kind.toUpperCase()}_CATALOG`].operations) {
			const schema = outputSchema(operation);
			if (!schema) continue;
			const folder = path.join(
				...['dist', 'nodes', kind, '__schema__', VERSION, operation.resource],
			);
			await fs.mkdir(folder, { recursive: true });
			const file = path.join(folder, `${operation.operation}.json`);
			await fs.writeFile(file, JSON.stringify(schema));
		}
	}
}
