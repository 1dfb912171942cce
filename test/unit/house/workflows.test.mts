import fs from 'node:fs';
import path from 'node:path';

import { parse } from 'yaml';

import { lintWorkflows } from '../../../tools/lib/workflows.mts';

/** The major versions of Node that the package is for; the first is the one in `engines`. */
const NODES = [20, 22, 24];

/** What a job may do besides reading the repository. */
const MORE_ALLOWED: Record<string, unknown> = {
	'publish.yml publish': { 'id-token': 'write' },
	'publish.yml release': { contents: 'write' },
};

interface Step {
	uses?: string;
	run?: string;
	with?: Record<string, unknown>;
}

interface Job {
	permissions?: unknown;
	'timeout-minutes'?: number;
	uses?: string;
	steps?: Step[];
	strategy?: { matrix: { node?: number[]; stage?: string[] } };
}

interface Workflow {
	permissions: unknown;
	concurrency: unknown;
	jobs: Record<string, Job>;
}

const FOLDER = '.github/workflows';

const FILES = fs.readdirSync(FOLDER);

const textOf = (file: string) => fs.readFileSync(path.join(FOLDER, file), 'utf8');

const WORKFLOWS = FILES.map((file) => ({ file, ...(parse(textOf(file)) as Workflow) }));

const JOBS = WORKFLOWS.flatMap(({ file, jobs }) =>
	Object.entries(jobs).map(([id, job]) => ({ name: `${file} ${id}`, job })),
);

const STEPS = JOBS.flatMap(({ name, job: { steps = [] } }) =>
	steps.map((step) => ({ name, step })),
);

const MANIFEST = JSON.parse(fs.readFileSync('package.json', 'utf8'));

test('they have no mistakes', async () => {
	expect(await lintWorkflows()).toEqual([]);
});

test('every action is pinned to one commit, with its version beside it', () => {
	const uses = FILES.flatMap((file) => textOf(file).match(/uses: .*/g) ?? []).filter(
		(line) => !line.startsWith('uses: ./'),
	);
	expect(uses.length).toBeGreaterThan(0);
	const unpinned = uses.filter(
		(line) => !/^uses: [\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line),
	);
	expect(unpinned).toEqual([]);
	const commits = new Map<string, Set<string>>();
	for (const line of uses) {
		const [, action = '', commit = ''] = /uses: ([\w-]+\/[\w-]+)[^@]*@(.*)/.exec(line) ?? [];
		commits.set(action, (commits.get(action) ?? new Set()).add(commit));
	}
	expect([...commits].filter(([, { size }]) => size > 1)).toEqual([]);
});

test.each(WORKFLOWS)('$file allows nothing by itself, and is not run twice at once', (workflow) => {
	expect(workflow.permissions).toEqual({});
	expect(workflow.concurrency).toBeDefined();
});

test.each(JOBS)('$name may do what it needs alone', ({ name, job }) => {
	expect(job.permissions).toEqual(MORE_ALLOWED[name] ?? { contents: 'read' });
});

test.each(JOBS.filter(({ job }) => !job.uses))('$name ends at some time', ({ job }) => {
	expect(job['timeout-minutes']).toBeGreaterThan(0);
});

test('no checkout leaves its token behind', () => {
	const checkouts = STEPS.filter(({ step }) => step.uses?.startsWith('actions/checkout@'));
	expect(checkouts.length).toBeGreaterThan(0);
	for (const { step } of checkouts)
		expect(step.with).toMatchObject({ 'persist-credentials': false });
});

test('the job that may sign checks nothing out and installs nothing', () => {
	const { steps = [] } = JOBS.find(({ name }) => name === 'publish.yml publish')!.job;
	expect(steps.filter(({ uses = '' }) => uses.includes('checkout'))).toEqual([]);
	const commands = steps.flatMap(({ run = '' }) => run.match(/npm [a-z]+/g) ?? []);
	expect(commands).toEqual(['npm config', 'npm publish']);
});

test('no expression is pasted into a shell', () => {
	expect(STEPS.filter(({ step }) => step.run?.includes('${{'))).toEqual([]);
});

test('every script that is run exists', () => {
	const scripts = STEPS.flatMap(({ step: { run = '' } }) =>
		[...run.matchAll(/npm run (?:--silent )?([\w:]+)/g)].map(([, script]) => script!),
	);
	const stages = JOBS.flatMap(({ job }) => job.strategy?.matrix.stage ?? []);
	const wanted = new Set([...scripts, ...stages.map((stage) => `test:${stage}`)]);
	expect(wanted).toContain('test:editor');
	expect([...wanted].filter((script) => !(script in MANIFEST.scripts))).toEqual([]);
});

test('every version of Node has its run', () => {
	const matrices = JOBS.flatMap(({ job }) => job.strategy?.matrix.node ?? []);
	expect(matrices.length).toBeGreaterThan(0);
	for (const { job } of JOBS) expect(job.strategy?.matrix.node ?? NODES).toEqual(NODES);
	expect(MANIFEST.engines.node).toMatch(new RegExp(`^>=${NODES[0]}\\b`));
	const others = STEPS.map(({ step }) => step.with?.['node-version']).filter(
		(version) => version !== undefined && version !== '${{ matrix.node }}',
	);
	expect(new Set(others)).toEqual(new Set([NODES.at(-1)]));
});

test('the bot that updates dependencies looks where there are some', () => {
	const { updates } = parse(fs.readFileSync('.github/dependabot.yml', 'utf8'));
	const folders: string[] = updates
		.filter((update: Record<string, string>) => update['package-ecosystem'] === 'npm')
		.flatMap(({ directories }: { directories: string[] }) =>
			directories.map((name) => name.slice(1)),
		);
	expect(folders).toContain('');
	const without = folders.filter((folder) => !fs.existsSync(path.join(folder, 'package.json')));
	expect(without).toEqual([]);
});
