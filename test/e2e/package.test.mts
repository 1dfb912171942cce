import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

import { outputSchema } from '../../tools/lib/outputSchema.mts';
import { ALLOWED_MODULES, foreignModules } from '../support/allowedModules.mts';
import { operationsOf } from '../support/operations.mts';
import { CREDENTIAL, nodeType } from '../support/product.mts';

/** The package as it is built and packed. */

jest.setTimeout(60_000);

/** Each class, by its file in the package. */
const CLASSES = {
	'dist/nodes/Image/MediaGenImage.node.js': nodeType('image'),
	'dist/nodes/Video/MediaGenVideo.node.js': nodeType('video'),
	'dist/nodes/Music/MediaGenMusic.node.js': nodeType('music'),
	'dist/nodes/Account/MediaGenAccount.node.js': nodeType('account'),
	'dist/nodes/Trigger/MediaGenTrigger.node.js': nodeType('trigger'),
	'dist/credentials/MediaGenApi.credentials.js': CREDENTIAL,
};

/** What each kind of node has besides its class. */
const BESIDE = ['Account', 'Image', 'Music', 'Trigger', 'Video'].flatMap((kind) => [
	`dist/nodes/${kind}/MediaGen${kind}.node.json`,
	`dist/icons/mediagen${kind}.svg`,
	`dist/icons/mediagen${kind}.dark.svg`,
]);

/** What n8n's editor shows of an operation that has not run. */
const SCHEMAS = Object.fromEntries(
	(['account', 'image', 'music', 'video'] as const).flatMap((kind) =>
		operationsOf(kind)
			.filter(outputSchema)
			.map((one) => {
				const folder = kind.replace(/^./, (first) => first.toUpperCase());
				const file = `dist/nodes/${folder}/__schema__/v1.0.0/${one.resource}/${one.operation}.json`;
				return [file, outputSchema(one)];
			}),
	),
);

/** What the classes are made of: each source, compiled. */
const SHARED = fs
	.readdirSync('nodes/shared', { recursive: true, encoding: 'utf8' })
	.filter((file) => file.endsWith('.ts'))
	.map((file) => `dist/nodes/shared/${file.replace(/ts$/, 'js')}`);

/** What is about the package. */
const ABOUT = ['CHANGELOG.md', 'LICENSE.md', 'README.md', 'index.js', 'package.json'];

/** Bytes of the tarball. */
const MOST = 200_000;

let folder = '';

const tarball = process.env.MEDIAGEN_TARBALL!;

beforeAll(() => {
	folder = fs.mkdtempSync(path.join(path.dirname(tarball), 'unpacked-'));
	execFileSync('tar', ['xzf', tarball, '-C', folder, '--strip-components=1']);
	fs.symlinkSync(path.resolve('node_modules'), path.join(folder, 'node_modules'));
});

afterAll(() => fs.rmSync(folder, { recursive: true }));

test('the package has what runs and what is to be read, and is small', () => {
	const listed = execFileSync('tar', ['tzf', tarball], { encoding: 'utf8' });
	const files = listed.trimEnd().split('\n');
	const all = [...Object.keys(CLASSES), ...SHARED, ...BESIDE, ...Object.keys(SCHEMAS), ...ABOUT];
	expect(files.sort()).toEqual(all.map((file) => `package/${file}`).sort());
	expect(fs.statSync(tarball).size).toBeLessThan(MOST);
});

const built = (file: string) => {
	const { [path.basename(file).split('.')[0]!]: Class } = require(path.join(folder, file));
	return new Class();
};

/** Without what it does: the same function has another address in the package. */
const dataOf = (value: object) =>
	Object.fromEntries(Object.entries(value).filter(([, part]) => typeof part !== 'function'));

test.each(Object.entries(CLASSES))('%s is what the source says', (file, loaded) => {
	const { methods: ownMethods = {}, ...own } = dataOf(built(file));
	const { methods = {}, ...source } = dataOf(loaded);
	expect(own).toStrictEqual(source);
	const names = (kinds: object) => Object.values(kinds).flatMap(Object.keys);
	expect(names(ownMethods)).toEqual(names(methods));
});

test.each(Object.entries(SCHEMAS))('%s is what the tables say', (file, schema) => {
	expect(JSON.parse(fs.readFileSync(path.join(folder, file), 'utf8'))).toEqual(schema);
});

test('a form is made anew each time: n8n adds to it', () => {
	for (const file of Object.keys(CLASSES)) {
		const { description: { properties } = { properties: [] } } = built(file);
		const before = JSON.stringify(properties);
		for (const property of properties) property.displayName = 'changed';
		properties.length = 0;
		const { description: again = { properties: [] } } = built(file);
		expect(JSON.stringify(again.properties)).toBe(before);
	}
});

test('the package requires what n8n brings, and nothing else', () => {
	const modules = [...Object.keys(CLASSES), ...SHARED].flatMap((file) =>
		foreignModules(fs.readFileSync(path.join(folder, file), 'utf8')),
	);
	expect(modules).toContain('n8n-workflow');
	expect(modules.filter((module) => !ALLOWED_MODULES.includes(module))).toEqual([]);
});
