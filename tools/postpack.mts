import { runTool } from './lib/lifecycle.mjs';
import { putBackReadme } from './lib/packageBuild.mts';

/** npm runs this after packing: it restores the working copy's README. */
await runTool(async () => await putBackReadme());
