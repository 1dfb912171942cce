import { ToolError } from './lib/errors.mjs';
import { ensureN8n } from './lib/n8nInstall.mts';
import { buildPackage } from './lib/packageBuild.mts';
import { requireQueueServices } from './lib/queuePlace.mts';
import { scanPackage } from './lib/scanner.mts';
import {
	check,
	findsNothing,
	jest,
	jestWithN8n,
	runStages,
	type Stage,
	type Show,
} from './lib/testStages.mts';
import { lintWorkflows } from './lib/workflows.mts';

const USAGE = `npm test [-- <stage>] [-- <arguments for Jest>]

Stages: checks (build, lint, formatting, types, workflows, n8n's scanner), unit, engine (n8n-core), e2e (a real
n8n server); all of them when none is named. And examples (those of the folder, in a real n8n), editor (n8n's editor,
which needs Chromium), durable (waiting that survives, which takes longer), install (installed, updated and
removed as people do), and queue (n8n in queue mode, which needs Redis and PostgreSQL).

ALL_TESTS=1 runs all cases of the suites that otherwise take a sample, as GitHub does every night.`;

/**
 * The stages that run when none is named, as lanes side by side: a real n8n mostly waits. More lanes would take longer,
 * because they get in each other's way. Stages that need the package come late, since it is built meanwhile. Unit tests
 * come last, since they keep both cores busy.
 */
const ALWAYS = [
	['checks', 'e2e'],
	['engine', 'unit'],
];

/** Stages that need more time than most people have, or software that not every machine has. */
const ON_REQUEST = ['examples', 'editor', 'durable', 'install', 'queue'];

export default async function main() {
	const [name, ...rest] = process.argv.slice(2);
	if (name !== undefined && ![...ALWAYS.flat(), ...ON_REQUEST].includes(name))
		throw new ToolError(USAGE);
	const chosen = name ? [[name]] : ALWAYS;
	const stages = stagesOf(rest, await ingredientsFor(chosen.flat()));
	const { passed, failed } = await runStages(
		chosen.map((lane) => lane.flatMap((stage) => stages[stage] ?? [])),
	);
	console.log(`\n${passed} passed, ${failed} failed`);
	return failed > 0 ? 1 : 0;
}

/**
 * What several stages use: an n8n, installed before them all, and the packed package, built while the stages that do
 * not need it run.
 */
async function ingredientsFor(stages: string[]) {
	const needsN8n = stages.some((stage) => !['checks', 'unit', 'engine'].includes(stage));
	const needsPackage = stages.some((stage) => !['unit', 'engine'].includes(stage));
	const n8n = needsN8n ? await ensureN8n() : undefined;
	if (n8n && stages.includes('queue')) await requireQueueServices(n8n);
	const tarball = needsPackage ? buildPackage() : Promise.resolve('');
	// If the build fails, the stages that use the package fail.
	tarball.catch(() => {});
	return { n8n, tarball };
}

function stagesOf(
	jestArguments: string[],
	{ n8n, tarball }: Awaited<ReturnType<typeof ingredientsFor>>,
): Record<string, Stage[]> {
	// Tests run with n8n's Node, if there is one: it is newer and faster.
	const node = n8n?.node;
	const program = (title: string, ...command: [string, ...string[]]): Stage => ({
		title,
		run: (show) => check({ show, node }, ...command),
	});
	const inProcess = (title: string, project: string): Stage[] => [
		{ title, run: async (show) => await jest(project, jestArguments, { show, node }) },
	];
	const inRealN8n = (title: string, project: string): Stage[] => {
		const run = async (show: Show) => {
			const packed = { tarball: await tarball, show };
			return await jestWithN8n(project, n8n!, jestArguments, packed);
		};
		return [{ title, run }];
	};
	const scan = async () => await scanPackage(await tarball);
	return {
		checks: [
			program('lint', 'n8n-node', 'lint'),
			program('formatting', 'prettier', '--check', '--cache', '.'),
			program('types of tools and tests', 'tsc', '-p', 'tsconfig.dev.json'),
			{ title: "n8n's scanner", run: (show) => findsNothing(show, scan) },
			{ title: 'workflows', run: (show) => findsNothing(show, lintWorkflows) },
		],
		unit: inProcess('unit tests', 'unit'),
		engine: inProcess('engine tests', 'engine'),
		e2e: inRealN8n('end-to-end tests', 'e2e'),
		examples: inRealN8n('examples', 'examples'),
		editor: inRealN8n('tests in the editor', 'editor'),
		durable: inRealN8n('durable waiting tests', 'durable'),
		install: inRealN8n('tests of the installation', 'install'),
		queue: inRealN8n('queue mode tests', 'queue'),
	};
}
