import path from 'node:path';

import { timeLapseSettings, type TimeLapse } from './lapsedTime.mts';
import type { N8nInstall } from './n8nInstall.mts';
import { startN8nProcess } from './n8nProcess.mts';
import { installTarball } from './packageBuild.mts';
import { freePort } from './ports.mts';
import { removeFolder, temporaryFolder } from './temporaryFolder.mts';

/** A running n8n. `stop` removes a user folder that was made for it; after `kill`, the folder stays. */
export type N8nServer = Awaited<ReturnType<typeof startN8n>>;

/** Starts n8n with a packed community package, and waits until it answers. */
export async function startN8n({
	n8n,
	tarball,
	userFolder,
	port,
	env,
	nodeFlags,
	timeLapse,
}: {
	n8n: N8nInstall;
	/** The package, installed into the community folder. Left out, the user folder has to have it already. */
	tarball?: string;
	/** A temporary one when left out. */
	userFolder?: string;
	/** Any free one when left out or 0. */
	port?: number;
	/** Settings of n8n, which override the quiet ones. */
	env?: Record<string, string>;
	nodeFlags?: string[];
	/** Makes time pass faster in n8n, for tests of long waits, but not in the process that runs Code nodes. */
	timeLapse?: TimeLapse;
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
		logFile: path.join(folder, 'n8n.log'),
		env: {
			N8N_PORT: String(serverPort),
			...(timeLapse && timeLapseSettings(timeLapse)),
			...env,
		},
	});
	return {
		...started,
		url,
		/** Where its database and the community packages are. */
		userFolder: folder,
		stop: async () => {
			await started.stop();
			if (!userFolder) await removeFolder(folder);
		},
	};
}
