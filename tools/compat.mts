import { readArguments } from './lib/arguments.mts';
import { ensureN8n } from './lib/n8nInstall.mts';
import { PINNED, SUPPORTED, type Supported } from './lib/n8nVersions.mjs';
import { buildPackage } from './lib/packageBuild.mts';
import { print } from './lib/run.mjs';
import { jestWithN8n, type Result, type Show } from './lib/testStages.mts';

/** Tests for an n8n that cannot wait durably: nothing may be lost there, either. */
const WITHOUT_DURABLE = ['durable/(fallback|inProcess|trigger[.])'];

/** Tests that show within a few minutes that nodes load, pay once, wait, and lose nothing. */
const BRIEF = { e2e: ['e2e/(image|batch)'], durable: ['durable/fallback'] };

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
	let failed = 0;
	for (const supported of chosen) failed += (await testWith(supported, { tarball, brief })).failed;
	return failed > 0 ? 1 : 0;
}

/** Runs tests with a version of n8n. */
export async function testWith(
	supported: Supported,
	{ tarball, brief, show = print }: { tarball: string; brief?: boolean; show?: Show },
): Promise<Result> {
	const { n8n, node, isDurable } = supported;
	show(`\n=== n8n ${n8n} on Node ${node}\n`);
	const install = await ensureN8n(supported);
	const suites = brief ? BRIEF : { e2e: [], durable: isDurable ? [] : WITHOUT_DURABLE };
	const e2e = await jestWithN8n('e2e', install, suites.e2e, { tarball, show });
	const durable = await jestWithN8n('durable', install, suites.durable, { tarball, show });
	const [passed, failed] = [e2e.passed + durable.passed, e2e.failed + durable.failed];
	show(`\nn8n ${n8n}: ${passed} passed, ${failed} failed\n`);
	return { passed, failed };
}
