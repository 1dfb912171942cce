import type { Editor } from '../../tools/lib/editor.mts';
import type { N8nRuns } from './n8nRuns.mts';

/** What all tests in the editor share; editorSetup.mjs starts it. */
export interface SharedEditor {
	/** Signed in as the owner. */
	editor: Editor;
	n8n: N8nRuns;
}

/** Time for one test, ms; opening the editor for the first time takes most of it. */
const TEST_TIMEOUT = 120_000;

/**
 * The editor of a real n8n. Each test starts afresh, with an account of its own, and opens what it
 * looks at.
 */
export function useEditor(): SharedEditor {
	const { mediaGenEditor: shared } = globalThis as unknown as { mediaGenEditor: SharedEditor };
	jest.setTimeout(TEST_TIMEOUT);
	beforeEach(async () => {
		await shared.n8n.startAfresh();
	});
	return shared;
}
