import { readArguments } from './lib/arguments.mts';
import { alignedTable } from './lib/docs/markdown.mts';
import { ensureN8n } from './lib/n8nInstall.mts';
import { PINNED, SUPPORTED, type Supported } from './lib/n8nVersions.mjs';
import { buildPackage } from './lib/packageBuild.mts';
import { AT_ONCE, jestWithN8n } from './lib/testStages.mts';

/** Tests for an n8n that cannot wait durably: nothing may be lost there, either. */
const WITHOUT_DURABLE = ['durable/(fallback|inProcess|trigger[.])'];

/** Tests that show within a few minutes that nodes load, pay once, wait, and lose nothing. */
const BRIEF = { e2e: ['e2e/(image|batch)'], durable: ['durable/fallback'] };

const HEAD = ['n8n', 'Node', 'End-to-end tests passed', 'Durable waiting', 'Durable tests passed'];

const VERSIONS = SUPPORTED.map(({ n8n }) => n8n);

const USAGE = `npm run test:compat [-- <version> ...] [-- --brief]

Runs the end-to-end and the durable tests with the supported versions of n8n that other tests do not use, or with
those that are named (of ${VERSIONS.join(', ')}). Each is installed once, into the cache (up to 2.2 GB).
  --brief  runs a few of the tests, by default with the oldest version`;

export default async function main() {
	const flag = { type: 'boolean' } as const;
	const given = readArguments(USAGE, { brief: flag }, VERSIONS);
	if (!given) return;
	const { brief } = given.values;
	const others = VERSIONS.filter((version) => version !== PINNED.n8n);
	const byDefault = brief ? others.slice(0, 1) : others;
	const names = given.positionals.length > 0 ? given.positionals : byDefault;
	const chosen = SUPPORTED.filter(({ n8n }) => names.includes(n8n));
	const tarball = await buildPackage();
	const results = [];
	for (const supported of chosen) results.push(await tried(supported, { tarball, brief }));
	console.log(`\n${alignedTable([HEAD, ...results.map(rowOf)])}`);
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

const rowOf = ({ n8n, node, isDurable, e2e, durable }: Tried) => [
	n8n,
	String(node),
	passedOf(e2e),
	isDurable ? 'yes' : 'waits in process, and says so',
	passedOf(durable),
];

const passedOf = ({ passed, failed }: Tried['e2e']) => `${passed} of ${passed + failed}`;
