/** The kinds of test; tools/test.mts runs them. Everything is compiled by swc. */
const compile = [
	'@swc/jest',
	{
		jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
		module: { type: 'commonjs' },
	},
];

const project = (name, more = {}) => ({
	displayName: name,
	testMatch: [`<rootDir>/test/${name}/**/*.test.mts`],
	moduleFileExtensions: ['ts', 'mts', 'js', 'mjs', 'cjs', 'json', 'node'],
	transform: { '^.+\\.m?[jt]s$': compile },
	modulePathIgnorePatterns: ['dist', 'tools/n8n'].map((folder) => `<rootDir>/${folder}/`),
	...more,
});

/** One n8n for all files. */
const SHARED_N8N = {
	globalSetup: '<rootDir>/test/support/n8nSetup.mjs',
	globalTeardown: '<rootDir>/test/support/n8nTeardown.cjs',
	testEnvironment: '<rootDir>/test/support/sharedEnvironment.cjs',
};

/** One n8n for most files, in which time passes faster. */
const FAST_N8N = { ...SHARED_N8N, globalSetup: '<rootDir>/test/support/fastSetup.mjs' };

module.exports = {
	maxWorkers: '100%',
	// Long, so that a busy machine fails no test.
	testTimeout: 120_000,
	// Jest keeps something of each file, which slows down a process that runs hundreds.
	workerIdleMemoryLimit: '1GB',
	reporters: ['default', '<rootDir>/tools/lib/slowFiles.cjs'],
	projects: [
		project('unit', {
			testEnvironment: '<rootDir>/test/support/unitEnvironment.cjs',
			moduleNameMapper: { '^n8n-workflow$': '<rootDir>/test/support/n8nWorkflow.cjs' },
		}),
		project('engine', { setupFilesAfterEnv: ['<rootDir>/test/support/engineTime.mts'] }),
		project('e2e', SHARED_N8N),
		project('examples', SHARED_N8N),
		project('editor', {
			globalSetup: '<rootDir>/test/support/editorSetup.mjs',
			globalTeardown: '<rootDir>/test/support/editorTeardown.cjs',
			testEnvironment: '<rootDir>/test/support/editorEnvironment.cjs',
		}),
		project('durable', FAST_N8N),
		project('install'),
		project('queue', FAST_N8N),
	],
};
