// Prints what the quick parts of the bench come to with one seed, as JSON.
import { importTypeScript } from '../lib/typeScript.mjs';

const { sampleShort } = await importTypeScript('tools/bench/short.mts');
const { sampleFleet } = await importTypeScript('tools/bench/fleet.mts');
console.log(JSON.stringify([...(await sampleShort()), ...(await sampleFleet())]));
