const os = require('node:os');
const path = require('node:path');

const { TestEnvironment } = require('jest-environment-node');

/** Gives tests what editorSetup.mjs has started, and takes a picture of the editor when one fails. */
module.exports = class EditorEnvironment extends TestEnvironment {
	async setup() {
		await super.setup();
		this.global.mediaGenEditor = globalThis.mediaGenEditor;
	}

	async handleTestEvent({ name, test }) {
		if (name !== 'test_fn_failure') return;
		const file = path.join(os.tmpdir(), `${test.name.replace(/[^a-z0-9]+/gi, '-')}.png`);
		await globalThis.mediaGenEditor.editor.takePicture(file);
		console.error(`The editor when "${test.name}" failed: ${file}`);
	}
};
