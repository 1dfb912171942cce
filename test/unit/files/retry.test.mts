import { virtualContext } from '../../support/virtualContext.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';
import { fakeContext, type FakeFile } from './fakeContext.mts';
import { NODE, PARAMETERS, PNG } from './itemFiles.mts';
import { runNode } from '../../support/product.mts';

/** A job that is paid for needs its file no more. */

/** An n8n with a picture in its store, and an account of the service. */
function open(prompts: readonly string[], more: object = {}) {
	const n8n = new VirtualN8n({ settings: { credits: { purchased: 5000, welcome: 0 } } });
	const files: Record<string, FakeFile> = { data: { file: PNG }, other: { file: PNG } };
	const memory = {};
	const run = async (executionId: string, { address = 'https://n8n.example', id = '' } = {}) => {
		const { context: fake } = fakeContext(files, { address });
		const [item] = fake.getInputData();
		const context = virtualContext({
			kind: 'video',
			network: n8n.network,
			credential: n8n.credential,
			items: prompts.map(() => item!),
			parameters: (itemIndex) => ({ ...PARAMETERS, prompt: prompts[itemIndex], ...more }),
			evaluated: id ? { imageUrls: [{ mimeType: '', id: `store:${id}` }] } : {},
			// Another ID comes with another item.
			node: { ...NODE, parameters: { id } },
			memory,
			executionId,
			mode: executionId === '1' ? 'trigger' : 'retry',
			hints: [],
			messages: [],
		});
		Object.assign(context.helpers, { ...fake.helpers, ...context.helpers });
		return await runNode('video', context, n8n.clock);
	};
	return { n8n, files, run };
}

test.each([
	['is gone', true, 'https://n8n.example'],
	['is in an n8n that has another address now', false, 'http://localhost:5678'],
])('a retry has the job although the file %s', async (_, isGone, later) => {
	// Too short for the first try, which leaves its job.
	const { n8n, files, run } = open(['x'], { options: { timeout: 5 } });
	const both = async () => {
		await expect(run('1')).rejects.toThrow('5 seconds');
		files.data = { file: PNG, isGone };
		await n8n.clock.sleep(3_600_000);
		const [[item] = []] = await run('2', { address: later });
		expect(item?.json.status).toBe('completed');
		expect(n8n.state.account.charges).toHaveLength(1);
	};
	await n8n.clock.run(both());
});

test('a file that an expression hands over is the same under the ID that n8n gives it later', async () => {
	const { n8n, run } = open(['x'], { options: { timeout: 5 } });
	const both = async () => {
		await expect(run('1', { id: 'data' })).rejects.toThrow('5 seconds');
		await n8n.clock.sleep(3_600_000);
		const [[item] = []] = await run('2', { id: 'other' });
		expect(item?.json.status).toBe('completed');
		expect(n8n.state.account.charges).toHaveLength(1);
	};
	await n8n.clock.run(both());
});
