// node tools/constants/sample.mjs <seeds>: prints what the quick parts of the bench come to, as JSON.
import { importTypeScript } from '../lib/typeScript.mjs';

const seeds = Number(process.argv[2]);
const { sampleShort } = await importTypeScript('tools/bench/short.mts');
const { sampleFleet } = await importTypeScript('tools/bench/fleet.mts');
console.log(JSON.stringify([...(await sampleShort(seeds)), ...(await sampleFleet(seeds))]));
