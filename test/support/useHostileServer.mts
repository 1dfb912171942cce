import { startHostileServer, type HostileServer } from './hostileServer.mts';
import { standIn } from './standIn.mts';

/**
 * Starts a hostile server before the tests of a file, and ends it after them. Each test begins with an
 * empty object as its answer.
 *
 * @returns stands for the started server; to be used in tests and hooks only
 */
export function useHostileServer(): HostileServer {
	let started: HostileServer | undefined;
	const server = standIn(() => started, 'The hostile server');
	beforeAll(async () => {
		started = await startHostileServer();
	});
	afterAll(async () => {
		await started?.close();
	});
	beforeEach(() => {
		server.reset();
		server.answer = () => ({});
	});
	return server;
}
