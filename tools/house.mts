import fs from 'node:fs/promises';
import inspector from 'node:inspector/promises';
import path from 'node:path';

import { VirtualN8n } from '../test/support/virtualRun.mts';
import { median, sum } from './bench/result.mts';

/**
 * npm run house
 *
 * Prints how large nodes/shared is, how much of it one must read to follow one image generation, and how many more
 * files for a 429 to its creation.
 */

const SHARED = path.join('nodes', 'shared');

export default async function main() {
	console.table([await measure()]);
}

async function measure() {
	const sorted = (await fileLengths(SHARED)).sort((a, b) => a - b);
	const plain = await calledForOneImage(false);
	const refused = await calledForOneImage(true);
	const ofImage = filesOf(plain);
	const more = [...filesOf(refused)].filter((file) => !ofImage.has(file));
	return {
		folders: (await fs.readdir(SHARED)).length,
		files: sorted.length,
		lines: sum(sorted),
		'median file': median(sorted),
		'longest file': sorted.at(-1),
		'files of an image': ofImage.size,
		'functions of it': plain.filter(({ name }) => name !== '').length,
		'more of a 429': more.length,
	};
}

async function fileLengths(folder: string) {
	const files = await fs.readdir(folder, { recursive: true });
	const texts = files
		.filter((file) => file.endsWith('.ts'))
		.map(async (file) => await fs.readFile(path.join(folder, file), 'utf8'));
	return (await Promise.all(texts)).map((text) => text.split('\n').length - 1);
}

/** The functions of nodes/shared that are called while the node makes an image in virtual time. */
async function calledForOneImage(isRefused: boolean) {
	const settings = { jobMs: { min: 5000, max: 5000 }, queuedMs: 0 };
	const n8n = new VirtualN8n({ settings });
	const fault = { kind: 'status', status: 429 } as const;
	if (isRefused) n8n.state.faults.add({ match: { kind: 'create' }, fault, times: 1 });
	const parameters = { resource: 'image', operation: 'generate', prompt: 'a', size: '1:1' };
	return await calledDuring(async () => {
		const { error } = await n8n.clock.run(n8n.execute({ items: [{}], parameters }));
		if (error) throw error;
	});
}

async function calledDuring(work: () => Promise<void>) {
	const session = new inspector.Session();
	session.connect();
	await session.post('Profiler.enable');
	await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
	await work();
	const { result } = await session.post('Profiler.takePreciseCoverage');
	session.disconnect();
	return result
		.filter(({ url }) => url.includes('/nodes/shared/'))
		.flatMap(({ url: file, functions }) =>
			functions
				.filter(({ functionName, ranges: [range] }) => {
					const { startOffset = 0, endOffset = 0, count = 0 } = range ?? {};
					// A range from offset 0 is the module itself.
					return startOffset > 0 && count > 0 && !isOfLoader(functionName, endOffset - startOffset);
				})
				.map(({ functionName: name }) => ({ file, name })),
		);
}

function filesOf(called: Array<{ file: string }>) {
	return new Set(called.map(({ file }) => file));
}

/** Whether the loader added a function: it gives each module helpers, and each export an accessor. */
function isOfLoader(name: string, length: number) {
	return name === 'get' || name === '__name' || length === `()=>${name}`.length;
}
