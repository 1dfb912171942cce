import { SUPPORTED } from './lib/n8nVersions.mjs';

/**
 * node tools/n8nVersions.mjs [--brief]
 *
 * Prints the supported versions of n8n as JSON, oldest first; with `--brief`, only the oldest and the newest.
 */
const versions = SUPPORTED.map(({ n8n }) => n8n);
const isBrief = process.argv[2] === '--brief';
console.log(JSON.stringify(isBrief ? [versions.at(0), versions.at(-1)] : versions));
