import fs from 'node:fs/promises';
import path from 'node:path';

import { ensureDevDependencies } from './lib/devDependencies.mjs';
import { runTool } from './lib/lifecycle.mjs';
import { ensureN8n } from './lib/n8nInstall.mjs';
import { buildPackage } from './lib/packageBuild.mjs';

/** Where the pictures of the README are, seen from the repository's root. */
const IMAGES = path.join('docs', 'images');

/** The credential, before any of the others. */
const CREDENTIAL = 'credential.png';

/** What is photographed, each after a run: the canvas, or the panel of a node. */
const PICTURES = [
	{ file: 'editor.png', example: 'imageFromPrompt.json' },
	{ file: 'imageNode.png', example: 'imageFromPrompt.json', node: 'MediaGen Image' },
	{ file: 'videoNodeA31.png', example: 'imageToVideo.json', node: 'Video' },
	{ file: 'videoNodeE26.png', example: 'textToVideo.json', node: 'MediaGen Video' },
	{ file: 'musicNode.png', example: 'songToVideo.json', node: 'Song' },
	{
		file: 'durableNode.png',
		example: 'imageFromPrompt.json',
		node: 'MediaGen Image',
		options: { waitMode: 'durable' },
	},
	{ file: 'visibleLoop.png', example: 'visibleLoop.json' },
];

/** The trigger, with the job as its test event that was finished last by then. */
const TRIGGER = 'triggerNode.png';

/** Canvases of examples that begin by themselves, in windows where their notes can be read. */
const CANVASES = [
	{
		file: 'collectVideos.png',
		example: 'collectVideos.json',
		window: { width: 1720, height: 1300 },
	},
	{
		file: 'tellWhenFailed.png',
		example: 'tellWhenFailed.json',
		window: { width: 1280, height: 760 },
	},
];

await runTool(async () => {
	await ensureDevDependencies();
	const n8n = await ensureN8n();
	const tarball = await buildPackage();
	// Only now: these need the development dependencies.
	const { importExample, startDemo } = await import('./lib/demo.mjs');
	const { Editor } = await import('./lib/editor.mjs');
	const demo = await startDemo({ n8n, tarball });
	demo.sandbox.settings.jobMs = { min: 2000, max: 3000 };
	const editor = await Editor.open(demo.server.url, demo.login);
	await fs.mkdir(IMAGES, { recursive: true });
	await editor.openCredential(demo.credential);
	await editor.page.getByText('Connection tested successfully').waitFor();
	await editor.takePicture(path.join(IMAGES, CREDENTIAL));
	console.log(`  ${CREDENTIAL}`);
	for (const { file, example, node, options } of PICTURES) {
		const { editorUrl } = await importExample(demo, example, options);
		await editor.openWorkflow(editorUrl);
		await editor.runWorkflow();
		if (node) await editor.openNode(node);
		await editor.takePicture(path.join(IMAGES, file));
		console.log(`  ${file}`);
	}
	for (const { file, example, window } of CANVASES) {
		const { editorUrl } = await importExample(demo, example);
		await editor.page.setViewportSize(window);
		await editor.openWorkflow(editorUrl);
		await editor.showAllNodes();
		await editor.takePicture(path.join(IMAGES, file));
		console.log(`  ${file}`);
	}
	const { id, name } = demo.credential;
	await editor.openNodes([
		{
			name: 'MediaGen Trigger',
			type: 'n8n-nodes-mediagen.mediaGenTrigger',
			typeVersion: 1,
			credentials: { mediaGenApi: { id, name } },
		},
	]);
	await editor.openPanel('MediaGen Trigger');
	await editor.fetchTestEvent();
	await editor.closeNotification();
	await editor.takePicture(path.join(IMAGES, TRIGGER));
	console.log(`  ${TRIGGER}`);
	console.log(`The pictures are in ${IMAGES}.`);
});
