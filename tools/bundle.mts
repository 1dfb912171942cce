import { bundle } from './lib/bundle.mts';
import { runTool } from './lib/lifecycle.mjs';

/** The second half of `npm run build`. */
await runTool(async () => await bundle());
