import { runTool } from './lib/lifecycle.mjs';
import { putPackedReadme, requireBuilt } from './lib/packageBuild.mts';

/** What npm runs before it packs, where it may run scripts: nothing is packed without a build. */
await runTool(async () => {
	await requireBuilt();
	await putPackedReadme();
});
