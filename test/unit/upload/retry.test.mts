import type { INode } from 'n8n-workflow';

import { executeCatalog } from '../../../nodes/shared/execute/execute.ts';
import { VIDEO_CATALOG } from '../../../nodes/shared/spec/catalogs.ts';
import { joined } from '../../support/audioFiles.mts';
import { virtualContext } from '../../support/virtualContext.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';
import { fakeContext, type FakeFile } from './fakeContext.mts';

/** A job that is paid for needs its file no more. */

const PNG = joined(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(500));

const NODE: INode = {
	id: '1',
	name: 'MediaGen',
	type: 'n8n-nodes-mediagen.mediaGenVideo',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

const PARAMETERS = {
	resource: 'vidA31',
	operation: 'generate',
	prompt: 'x',
	model: 'modelA_fast',
	aspectRatio: '16:9',
	imageUrls: 'data',
	waitForCompletion: true,
	// Too short for the first try, which leaves its job.
	options: { timeout: 5 },
};

test.each([
	['is gone', true, 'https://n8n.example'],
	['is in an n8n that has another address now', false, 'http://localhost:5678'],
])('a retry has the job although the file %s', async (_, isGone, later) => {
	const n8n = new VirtualN8n();
	const files: Record<string, FakeFile> = { data: { file: PNG } };
	const memory = {};
	const run = async (executionId: string, address: string) => {
		const { context: fake } = fakeContext(files, {}, { address });
		const context = virtualContext({
			network: n8n.network,
			credential: n8n.credential,
			items: fake.getInputData(),
			parameters: PARAMETERS,
			node: NODE,
			memory,
			executionId,
			mode: executionId === '1' ? 'trigger' : 'retry',
			hints: [],
			messages: [],
		} as never);
		Object.assign(context.helpers, { ...fake.helpers, ...context.helpers });
		return await executeCatalog(
			context,
			VIDEO_CATALOG,
			(n8n as never as { machine: never }).machine,
		);
	};
	const both = async () => {
		await expect(run('1', 'https://n8n.example')).rejects.toThrow('5 seconds');
		files.data = { file: PNG, isGone };
		await n8n.clock.sleep(3_600_000);
		const [[item] = []] = await run('2', later);
		expect(item?.json.status).toBe('completed');
		expect(n8n.state.account.charges).toHaveLength(1);
	};
	await n8n.clock.run(both() as never);
});
