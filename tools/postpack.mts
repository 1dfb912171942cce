import { runTool } from './lib/lifecycle.mjs';
import { putBackReadme } from './lib/packageBuild.mts';

/** What npm runs after it has packed: the working copy is as it was. */
await runTool(async () => await putBackReadme());
