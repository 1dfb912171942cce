import { testWith } from './compat.mts';
import { ToolError } from './lib/errors.mjs';
import { ensureN8n } from './lib/n8nInstall.mts';
import { OLDEST, PINNED } from './lib/n8nVersions.mjs';
import { ensureNode } from './lib/nodeProgram.mts';
import { buildPackage } from './lib/packageBuild.mts';
import { requireQueueServices } from './lib/queuePlace.mts';
import { scanPackage } from './lib/scanner.mts';
import { check, jest, jestWithN8n, runStages, type Stage } from './lib/testStages.mts';

const USAGE = `npm test [-- <stage>] [-- <arguments for Jest>]

Stages: checks (build, lint, formatting, types, n8n's scanner), unit, engine (n8n-core), e2e (a real n8n server); all
of them when none is named. And examples (those of the folder, in a real n8n), editor (n8n's editor, which needs
Chromium), durable (waiting that survives, which takes longer), install (installed, updated and removed as people do),
queue (n8n in queue mode, which needs Redis and PostgreSQL), and compat (a few tests with the oldest n8n).
"all" runs every stage.

ALL_TESTS=1 runs all cases of the suites that otherwise take a sample, as GitHub does every night.`;

/** The first mostly waits, at its beginning until n8n is installed. Meanwhile, the others keep both cores busy. */
const ALWAYS = ['e2e', 'checks', 'engine', 'unit'];

/** Stages that need more time than most people have, or software that not every machine has; the longest first. */
const ON_REQUEST = ['durable', 'queue', 'install', 'examples', 'compat', 'editor'];

const WITHOUT_N8N = ['checks', 'engine', 'unit'];

export default async function main() {
	const [name, ...rest] = process.argv.slice(2);
	const all = [...ALWAYS, ...ON_REQUEST];
	if (name !== undefined && ![...all, 'all'].includes(name)) throw new ToolError(USAGE);
	const chosen = name === 'all' ? all : name ? [name] : ALWAYS;
	const stages = await stagesFor(chosen, rest);
	const { passed, failed } = await runStages(stages);
	console.log(`\n${passed} passed, ${failed} failed`);
	return failed > 0 ? 1 : 0;
}

/** What several stages use is made while the first of them run; if that fails, they fail. */
async function stagesFor(names: string[], jestArguments: string[]): Promise<Stage[]> {
	const needsN8n = names.some((name) => !WITHOUT_N8N.includes(name));
	// Tests run with n8n's Node, if there is one: it is newer and faster.
	const node = needsN8n ? (await ensureNode(PINNED.node)).node : undefined;
	const needsPackage = needsN8n || names.includes('checks');
	const tarball = needsPackage ? buildPackage() : Promise.resolve('');
	const n8n = needsN8n ? ensureN8n() : undefined;
	const older = names.includes('compat') ? n8n?.then(() => ensureN8n(OLDEST)) : undefined;
	for (const made of [tarball, n8n, older]) made?.catch(() => {});

	const program = (title: string, ...command: [string, ...string[]]): Stage => ({
		title,
		run: (show) => check({ show, node }, ...command),
	});
	const inProcess = (title: string, project: string): Stage => ({
		title,
		run: async (show) => await jest(project, jestArguments, { show, node }),
	});
	const inRealN8n = (title: string, project: string): Stage => ({
		title,
		run: async (show) => {
			if (project === 'queue') await requireQueueServices((await n8n)!);
			const packed = { tarball: await tarball, show };
			return await jestWithN8n(project, (await n8n)!, jestArguments, packed);
		},
	});
	const stages: Record<string, Stage[]> = {
		checks: [
			program('lint', 'n8n-node', 'lint'),
			program('formatting', 'prettier', '--check', '--cache', '.'),
			program('types of tools and tests', 'tsc', '-p', 'tsconfig.dev.json'),
			{ title: "n8n's scanner", run: async (show) => await scanPackage(await tarball, show) },
		],
		unit: [inProcess('unit tests', 'unit')],
		engine: [inProcess('engine tests', 'engine')],
		e2e: [inRealN8n('end-to-end tests', 'e2e')],
		examples: [inRealN8n('examples', 'examples')],
		editor: [inRealN8n('tests in the editor', 'editor')],
		durable: [inRealN8n('durable waiting tests', 'durable')],
		install: [inRealN8n('tests of the installation', 'install')],
		queue: [inRealN8n('queue mode tests', 'queue')],
		compat: [
			{
				title: `tests with n8n ${OLDEST.n8n}`,
				run: async (show) => {
					await older;
					return await testWith(OLDEST, { tarball: await tarball, brief: true, show });
				},
			},
		],
	};
	return names.flatMap((name) => stages[name] ?? []);
}
