import process from 'node:process';

import { closeAll } from '../../tools/lib/lifecycle.mjs';
import { importTypeScript } from '../../tools/lib/typeScript.mjs';

/**
 * An n8n, of one process or in queue mode, in which time passes ten times as fast, for all files of the project that
 * need no other settings. The first of them starts it; each may kill it and start it again.
 */
export default function setUp() {
	const started = {};
	globalThis.mediaGenFast = (kind) => (started[kind] ??= start(kind));
	globalThis.endMediaGenShared = async () => {
		for (const one of Object.values(started)) await (await one).stop();
		await closeAll();
	};
	// By default, Jest would end without a teardown.
	process.once('SIGTERM', () => {
		void globalThis.endMediaGenShared().finally(() => process.exit(143));
	});
}

async function start(kind) {
	const { TIME_LAPSE } = await importTypeScript('tools/lib/lapsedTime.mts');
	const { startRealN8n, startRealQueue } = await importTypeScript('test/support/realN8n.mts');
	if (kind === 'queue') return await startRealQueue({ timeLapse: TIME_LAPSE, workers: 3 });
	return await startRealN8n({
		timeLapse: TIME_LAPSE,
		env: {
			N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
			// The strictest there is, for workflows that say nothing else.
			N8N_WORKFLOW_CALLER_POLICY_DEFAULT_OPTION: 'none',
		},
	});
}
