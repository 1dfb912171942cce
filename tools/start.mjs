import { ensureDevDependencies } from './lib/devDependencies.mjs';
import { runTool } from './lib/lifecycle.mjs';
import { importTypeScript } from './lib/typeScript.mjs';

/**
 * node tools/start.mjs <tool> ...
 *
 * Runs a tool of this folder that needs the development dependencies, once they are there.
 */
await runTool(async () => {
	const [tool] = process.argv.splice(2, 1);
	await ensureDevDependencies();
	const { default: main } = await importTypeScript(`tools/${tool}.mts`);
	return await main();
});
