import fs from 'node:fs/promises';
import path from 'node:path';

import sharp from 'sharp';

import { readArguments } from './lib/arguments.mts';
import { startDemo } from './lib/demo.mts';
import { Editor } from './lib/editor.mts';
import { IMAGES, THEMES, fileOf } from './lib/examples.mts';
import { PICTURES } from './lib/pictures.mts';

const NAMES = PICTURES.map(({ name }) => name);

const USAGE = `npm run screenshots [-- <name> ...]

Makes the pictures of the documentation, from the editor of a real n8n with the simulated service, each
in light and dark. With names, makes these only:
  ${NAMES.join('\n  ')}`;

/** Wide enough for a whole panel, in CSS pixels. */
const WINDOW = { width: 1400, height: 840 };

/** How many pixels of a picture one CSS pixel takes. */
const SCALE = 1.5;

/** How long a job takes, in ms: short, so that nobody waits. */
const JOB = { min: 2000, max: 3000 };

export default async function main() {
	const given = readArguments(USAGE, {}, NAMES);
	if (!given) return;
	const names = given.positionals.length > 0 ? given.positionals : NAMES;
	const pictures = PICTURES.filter(({ name }) => names.includes(name));
	const demo = await startDemo();
	demo.sandbox.settings.jobMs = JOB;
	const editor = await Editor.open(demo.server.url, demo.login, { window: WINDOW, scale: SCALE });
	for (const { name, show } of pictures) {
		await editor.page.setViewportSize(WINDOW);
		await editor.setTheme('light');
		const clip = await show({ ...demo, editor });
		// Some buttons appear only under the mouse.
		await editor.page.mouse.move(0, 0);
		for (const theme of THEMES) {
			const file = fileOf(name, theme);
			await editor.setTheme(theme);
			await fs.mkdir(path.dirname(file), { recursive: true });
			await editor.takePicture(file, clip);
			// With 256 colours, a file is half as large and looks almost the same.
			const picture = sharp(await fs.readFile(file)).png({ palette: true });
			const { size } = await picture.toFile(file);
			console.log(`  ${file}, ${Math.round(size / 1000)} KB`);
		}
	}
	console.log(`The pictures are in ${IMAGES}.`);
}
