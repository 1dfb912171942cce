import { runTool } from './lib/lifecycle.mjs';
import { putBackReadme } from './lib/packageBuild.mjs';

/** What npm runs after it has packed: the working copy is as it was. */
await runTool(async () => await putBackReadme());
