import process from 'node:process';

import { closeAll } from '../../tools/lib/lifecycle.mjs';
import { importTypeScript } from '../../tools/lib/typeScript.mjs';

/**
 * Starts one n8n for all files of a project, whatever process they run in ({@link file://./useRealN8n.mts}): its
 * start takes longer than most files.
 */
export default async function setUp(_, { displayName }) {
	let hosts;
	globalThis.endMediaGenShared = async () => {
		await closeAll();
		await hosts?.close();
	};
	// By default, Jest would end without a teardown.
	process.once('SIGTERM', () => {
		void globalThis.endMediaGenShared().finally(() => process.exit(143));
	});
	// Only examples get stand-ins for the services that they bring media to, and only they wait as long as people do.
	const isExamples = displayName.name === 'examples';
	if (isExamples) hosts = await startHosts();
	const { TIME_LAPSE } = await importTypeScript('tools/lib/lapsedTime.mts');
	const pace = { factor: isExamples ? TIME_LAPSE : 1, anchor: Date.now() };
	const { n8nFromEnv } = await importTypeScript('tools/lib/n8nInstall.mts');
	const { startN8n } = await importTypeScript('tools/lib/n8nServer.mts');
	const { SWIFT, untilStarted } = await importTypeScript('test/support/realN8n.mts');
	const server = await startN8n({
		n8n: n8nFromEnv(),
		tarball: process.env.MEDIAGEN_TARBALL,
		...(isExamples && { timeLapse: pace }),
		env: {
			...SWIFT,
			N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
			// The default from 2.0 on. With its one connection, 1.x mixes up transactions, and then fails for all files.
			DB_SQLITE_POOL_SIZE: '3',
			// Tests check what n8n never logs, not even at this level.
			N8N_LOG_LEVEL: 'debug',
			N8N_LOG_OUTPUT: 'console,file',
			...hosts?.env,
		},
	});
	await untilStarted(server.logFile);
	const { N8nClient } = await importTypeScript('tools/lib/n8nClient.mts');
	const client = new N8nClient(server.url);
	const login = await client.setUpOwner();
	const { url, pid, userFolder, logFile } = server;
	const shared = { server: { url, pid, userFolder, logFile }, login, cookie: client.cookie, pace };
	process.env.MEDIAGEN_SHARED_N8N = JSON.stringify(shared);
	globalThis.mediaGenHosts = hosts;
}

async function startHosts() {
	const { startOtherServices } = await importTypeScript('test/support/otherServices.mts');
	return await startOtherServices();
}
