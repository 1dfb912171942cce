import fs from 'node:fs';

import { completeLock, missingOptionals, platformOf } from '../../../tools/lib/lockFile.mts';

const readLock = (file: string) => JSON.parse(fs.readFileSync(file, 'utf8'));

test('the lock has an entry for every optional package that it names', () => {
	const missing = missingOptionals(readLock('package-lock.json'));
	// "npm run lock" adds them.
	expect(missing).toEqual([]);
});

test('adds what is missing, in the order of npm, and leaves the rest alone', () => {
	const parent = {
		version: '2.0.0',
		dev: true,
		optionalDependencies: { 'b-darwin-x64': '2.0.0', 'b-linux-x64-gnu': '2.0.0' },
	};
	const present = { version: '2.0.0', integrity: 'sha512-abc', optional: true };
	const lock = {
		packages: {
			'': {},
			'node_modules/b': parent,
			'node_modules/b-linux-x64-gnu': present,
			'node_modules/z': { version: '1.0.0' },
		},
	};
	const { lock: whole, added } = completeLock(lock);
	expect(added).toEqual(['node_modules/b-darwin-x64']);
	expect(Object.entries(whole.packages)).toEqual([
		['', {}],
		['node_modules/b', parent],
		[
			'node_modules/b-darwin-x64',
			{ version: '2.0.0', dev: true, optional: true, os: ['darwin'], cpu: ['x64'] },
		],
		['node_modules/b-linux-x64-gnu', present],
		['node_modules/z', { version: '1.0.0' }],
	]);
	expect(completeLock(whole)).toEqual({ lock: whole, added: [] });
});

test.each([
	['@swc/core-darwin-arm64', { os: ['darwin'], cpu: ['arm64'] }],
	['@swc/core-win32-x64-msvc', { os: ['win32'], cpu: ['x64'] }],
	['@swc/core-linux-arm-gnueabihf', { os: ['linux'], cpu: ['arm'], libc: ['glibc'] }],
	[
		'@unrs/resolver-binding-linux-riscv64-musl',
		{ os: ['linux'], cpu: ['riscv64'], libc: ['musl'] },
	],
	['@unrs/resolver-binding-android-arm-eabi', { os: ['android'], cpu: ['arm'] }],
	['@esbuild/linux-x64', { os: ['linux'], cpu: ['x64'] }],
])('%s says for which machines it is', (name, platform) => {
	expect(platformOf(name)).toEqual(platform);
});
