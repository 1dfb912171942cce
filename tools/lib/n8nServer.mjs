import path from 'node:path';

import { timeLapseSettings } from './lapsedTime.mjs';
import { startN8nProcess } from './n8nProcess.mjs';
import { installTarball } from './packageBuild.mjs';
import { freePort } from './ports.mjs';
import { removeFolder, temporaryFolder } from './temporaryFolder.mjs';

/**
 * A running n8n. Its `stop` removes a user folder that was made for it; after `kill` the folder
 * stays.
 *
 * @typedef {import('./n8nProcess.mjs').N8nProcess & Address} N8nServer
 *
 * @typedef {object} Address
 * @property {string} url Its address, without a slash at the end.
 * @property {string} userFolder Where its database and the community packages are.
 */

/**
 * Starts n8n with a packed community package, and waits until it answers.
 *
 * @param {object} options
 * @param {import('./n8nInstall.mjs').N8nInstall} options.n8n
 * @param {string} [options.tarball] The package, installed into the community folder. Leave it out
 *   to start again on a user folder that has it.
 * @param {string} [options.userFolder] A temporary one when left out.
 * @param {number} [options.port] Any free one when left out or 0.
 * @param {Record<string, string>} [options.env] Settings of n8n, on top of the quiet ones.
 * @param {string[]} [options.nodeFlags] Flags of Node itself.
 * @param {string} [options.logFile] `n8n.log` in the user folder when left out. Appended to.
 * @param {import('./lapsedTime.mjs').TimeLapse} [options.timeLapse] Lets time pass faster in n8n, for
 *   tests of long waits; not in the process that runs Code nodes.
 * @returns {Promise<N8nServer>}
 */
export async function startN8n({
	n8n,
	tarball,
	userFolder,
	port,
	env,
	nodeFlags,
	logFile,
	timeLapse,
}) {
	const folder = userFolder ?? (await temporaryFolder('mediagen-n8n-'));
	if (tarball) await installTarball(tarball, path.join(folder, '.n8n', 'nodes'));
	const serverPort = port || (await freePort());
	const url = `http://127.0.0.1:${serverPort}`;
	const started = await startN8nProcess({
		n8n,
		command: ['start'],
		url,
		userFolder: folder,
		nodeFlags,
		logFile: logFile ?? path.join(folder, 'n8n.log'),
		env: {
			N8N_PORT: String(serverPort),
			...(timeLapse && timeLapseSettings(timeLapse)),
			...env,
		},
	});
	return {
		...started,
		url,
		userFolder: folder,
		stop: async () => {
			await started.stop();
			if (!userFolder) await removeFolder(folder);
		},
	};
}
