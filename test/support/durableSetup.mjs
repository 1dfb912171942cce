import process from 'node:process';

import { closeAll } from '../../tools/lib/lifecycle.mjs';
import { importTypeScript } from '../../tools/lib/typeScript.mjs';

/**
 * One n8n, in which time passes ten times as fast, for the files of the project that need no other settings. The first
 * of them starts it, and each may kill it and start it again.
 */
export default function setUp() {
	let starting;
	globalThis.mediaGenFastN8n = () => (starting ??= start());
	globalThis.endMediaGenShared = async () => {
		await (await starting)?.stop();
		await closeAll();
	};
	// By default, Jest would end without a teardown.
	process.once('SIGTERM', () => {
		void globalThis.endMediaGenShared().finally(() => process.exit(143));
	});
}

async function start() {
	const { TIME_LAPSE } = await importTypeScript('tools/lib/lapsedTime.mts');
	const { startRealN8n } = await importTypeScript('test/support/realN8n.mts');
	return await startRealN8n({
		timeLapse: TIME_LAPSE,
		env: {
			N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
			// The strictest there is, for workflows that say nothing else.
			N8N_WORKFLOW_CALLER_POLICY_DEFAULT_OPTION: 'none',
		},
	});
}
