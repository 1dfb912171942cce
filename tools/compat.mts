import fs from 'node:fs/promises';

import { readArguments } from './lib/arguments.mts';
import { alignedTable, between } from './lib/docs/markdown.mts';
import { ensureN8n } from './lib/n8nInstall.mts';
import { SUPPORTED, type Supported } from './lib/n8nVersions.mjs';
import { buildPackage } from './lib/packageBuild.mts';
import { AT_ONCE, jestWithN8n } from './lib/testStages.mts';

/** The files of the results and of their table. */
const RESULTS = 'docs/compat.json';
const README = 'README.md';

/** Tests for an n8n that cannot wait durably: nothing may be lost there, either. */
const WITHOUT_DURABLE = ['durable/(fallback|inProcess|trigger[.]|visibleLoop)'];

/** Tests that show within a few minutes that nodes load, pay once, wait, and lose nothing. */
const BRIEF = { e2e: ['e2e/(image|batch)'], durable: ['durable/fallback'] };

const HEAD = ['n8n', 'Node', 'End-to-end tests passed', 'Durable waiting', 'Durable tests passed'];

const VERSIONS = SUPPORTED.map(({ n8n }) => n8n);

const USAGE = `npm run test:compat [-- <version> ...] [-- --brief]

Runs the end-to-end and the durable tests with the supported versions of n8n
(${VERSIONS.join(', ')}), or with those that are named. Each is installed once, into the cache
(up to 2.2 GB). The results go to ${RESULTS} and into the table of ${README}.
  --brief  runs a few of the tests, by default with the oldest and the newest version, and writes nothing`;

export default async function main() {
	const flag = { type: 'boolean' } as const;
	const given = readArguments(USAGE, { brief: flag }, VERSIONS);
	if (!given) return;
	const { brief } = given.values;
	const byDefault = brief ? [VERSIONS.at(0), VERSIONS.at(-1)] : VERSIONS;
	const names = given.positionals.length > 0 ? given.positionals : byDefault;
	const chosen = SUPPORTED.filter(({ n8n }) => names.includes(n8n));
	const tarball = await buildPackage();
	const results = [];
	for (const supported of chosen) results.push(await tried(supported, { tarball, brief }));
	if (!brief) await keep(results.filter(cameToAnEnd));
	return results.some(({ e2e, durable }) => e2e.failed + durable.failed > 0) ? 1 : 0;
}

async function tried(
	supported: Supported,
	{ tarball, brief }: { tarball: string; brief?: boolean },
) {
	const { n8n, node, isDurable } = supported;
	console.log(`\n=== n8n ${n8n} on Node ${node}`);
	const install = await ensureN8n(supported);
	const suites = brief ? BRIEF : { e2e: [], durable: isDurable ? [] : WITHOUT_DURABLE };
	return {
		n8n,
		node,
		isDurable,
		e2e: await jestWithN8n('e2e', install, [AT_ONCE, ...suites.e2e], { tarball }),
		durable: await jestWithN8n('durable', install, suites.durable, { tarball }),
	};
}

type Tried = Awaited<ReturnType<typeof tried>>;

/** Whether both suites ran to their ends: in one that was cut off, no test has passed. */
function cameToAnEnd({ e2e, durable }: Tried) {
	return e2e.passed > 0 && durable.passed > 0;
}

/** Replaces the earlier results of the same versions. */
async function keep(results: Tried[]) {
	const before: Tried[] = JSON.parse(await fs.readFile(RESULTS, 'utf8').catch(() => '[]'));
	const all = VERSIONS.flatMap(
		(version) => [...results, ...before].find(({ n8n }) => n8n === version) ?? [],
	);
	await fs.writeFile(RESULTS, `${JSON.stringify(all, undefined, '\t')}\n`);
	await fs.writeFile(README, withCompatTable(await fs.readFile(README, 'utf8'), all));
	console.log(`\nWritten: ${RESULTS}, and a table in ${README}`);
}

export function withCompatTable(readme: string, results: readonly Tried[]): string {
	return between(readme, 'compat', alignedTable([HEAD, ...results.map(rowOf)]));
}

const rowOf = ({ n8n, node, isDurable, e2e, durable }: Tried) => [
	n8n,
	String(node),
	passedOf(e2e),
	isDurable ? 'yes' : 'waits in process, and says so',
	passedOf(durable),
];

const passedOf = ({ passed, failed }: Tried['e2e']) => `${passed} of ${passed + failed}`;
