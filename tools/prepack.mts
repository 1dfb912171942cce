import { runTool } from './lib/lifecycle.mjs';
import { putPackedReadme, requireBuilt } from './lib/packageBuild.mts';

/** npm runs this before packing, if it may run scripts: nothing is packed without a build. */
await runTool(async () => {
	await requireBuilt();
	await putPackedReadme();
});
