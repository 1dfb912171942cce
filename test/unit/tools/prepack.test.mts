import { execFile } from 'node:child_process';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { putBackReadme, putPackedReadme, requireBuilt } from '../../../tools/lib/packageBuild.mts';

let folder = '';

beforeEach(async () => {
	folder = await fs.mkdtemp(path.join(os.tmpdir(), 'mediagen-prepack-'));
	for (const file of ['package.json', '.npmrc']) await fs.copyFile(file, path.join(folder, file));
});

afterEach(() => fs.rm(folder, { recursive: true }));

async function put(...files: string[]) {
	for (const file of files) {
		await fs.mkdir(path.join(folder, path.dirname(file)), { recursive: true });
		await fs.writeFile(path.join(folder, file), '');
	}
}

async function classes(): Promise<string[]> {
	const { n8n } = JSON.parse(await fs.readFile('package.json', 'utf8'));
	return [...n8n.nodes, ...n8n.credentials];
}

const REFUSAL = 'There is no build to pack. Run "npm run build" first.';

test('what is not built is not packed', async () => {
	await expect(requireBuilt(folder)).rejects.toThrow(REFUSAL);
	await put(...(await classes()).slice(1));
	await expect(requireBuilt(folder)).rejects.toThrow(REFUSAL);
});

test('what is built is packed', async () => {
	await put(...(await classes()));
	await expect(requireBuilt(folder)).resolves.toBeUndefined();
});

test('npm packs nothing without a build, also where it runs no scripts', async () => {
	// npm tells what it runs how it was set itself: in the test it reads .npmrc alone.
	const env = Object.entries(process.env).filter(([name]) => !/^npm_config_/i.test(name));
	const packing = promisify(execFile)('npm', ['pack'], {
		cwd: folder,
		env: Object.fromEntries(env),
	});
	await expect(packing).rejects.toThrow('ENOENT');
	expect((await fs.readdir(folder)).sort()).toEqual(['.npmrc', 'package.json']);
});

test('README is packed with full addresses, and is as it was afterwards', async () => {
	const readme = path.join(folder, 'README.md');
	const text = '[Money](docs/money.md)';
	await put('dist/index.js');
	await fs.writeFile(readme, text);
	await putPackedReadme(folder);
	expect(await fs.readFile(readme, 'utf8')).toMatch(/^\[Money\]\(https:\/\/github\.com\//);
	await putBackReadme(folder);
	expect(await fs.readFile(readme, 'utf8')).toBe(text);
	expect(await fs.readdir(path.join(folder, 'dist'))).toEqual(['index.js']);
});

test('a pack that was broken off loses nothing: neither README, nor what is written into it since', async () => {
	const readme = path.join(folder, 'README.md');
	const [before, since] = ['[Money](docs/money.md)', '[Agents](docs/agents.md)'];
	await put('dist/index.js');
	await fs.writeFile(readme, before);
	await putPackedReadme(folder);
	await putPackedReadme(folder);
	await putBackReadme(folder);
	expect(await fs.readFile(readme, 'utf8')).toBe(before);

	await putPackedReadme(folder);
	await fs.writeFile(readme, since);
	await putPackedReadme(folder);
	await putBackReadme(folder);
	expect(await fs.readFile(readme, 'utf8')).toBe(since);
});
