import fs from 'node:fs/promises';
import path from 'node:path';

import {
	ACCOUNT_CATALOG,
	IMAGE_CATALOG,
	MUSIC_CATALOG,
	VIDEO_CATALOG,
} from '../nodes/shared/spec/catalogs.ts';
import { runTool } from './lib/lifecycle.mjs';
import { outputSchema } from './lib/outputSchema.mts';

/** What each node has whose operations have outputs. */
const CATALOGS = {
	Account: ACCOUNT_CATALOG,
	Image: IMAGE_CATALOG,
	Music: MUSIC_CATALOG,
	Video: VIDEO_CATALOG,
};

/** The folder of the only version that the nodes have. */
const VERSION = 'v1.0.0';

/**
 * The first step of `npm run build`: writes the output schema of each operation where n8n's editor looks for it, so
 * that a person can map fields before the node has run. `n8n-node build` copies them.
 */
await runTool(async () => {
	for (const [kind, { operations }] of Object.entries(CATALOGS)) {
		const root = path.join('nodes', kind, '__schema__');
		await fs.rm(root, { recursive: true, force: true });
		for (const operation of operations) {
			const schema = outputSchema(operation);
			if (!schema) continue;
			const folder = path.join(root, VERSION, operation.resource);
			await fs.mkdir(folder, { recursive: true });
			await fs.writeFile(path.join(folder, `${operation.operation}.json`), JSON.stringify(schema));
		}
	}
});
