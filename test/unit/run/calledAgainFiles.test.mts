import type { IExecuteFunctions } from 'n8n-workflow';

import { virtualContext } from '../../support/virtualContext.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';
import { fakeContext } from '../files/fakeContext.mts';
import { NODE, PARAMETERS, PNG } from '../files/pictureVideo.mts';
import { runNode } from '../../support/product.mts';

/** A sub-workflow with pictures that is called again: rows may have come or gone. */

function open() {
	const n8n = new VirtualN8n({ settings: { credits: { purchased: 5000, welcome: 0 } } });
	let executions = 0;
	/** Calls with a row for each picture. */
	const call = async (pictures: string) => {
		const names = pictures.split(' ');
		const files = Object.fromEntries(
			names.map((name) => [name, { file: PNG, fileName: `${name}.png` }]),
		);
		const { context: fake } = fakeContext(files);
		const [{ binary }] = fake.getInputData() as unknown as [{ binary: Record<string, object> }];
		const id = String(++executions);
		const stored = {
			parentExecution: { executionId: 'calling', workflowId: 'calling' },
			resultData: { runData: {} },
			executionData: { nodeExecutionStack: [{ data: { main: [[{ json: {} }]] } }] },
		};
		const context = virtualContext({
			kind: 'video',
			network: n8n.network,
			credential: n8n.credential,
			items: names.map((name) => ({ json: { name }, binary: { data: binary[name] } })) as never,
			parameters: { ...PARAMETERS, prompt: 'it moves' },
			node: NODE,
			memory: {},
			executionId: id,
			mode: 'integrated',
			hints: [],
			messages: [],
			engine: {
				getExecutionDataById: async () => stored,
				getWorkflow: () => ({ id: 'w' }),
			} as unknown as Partial<IExecuteFunctions>,
		});
		const assertBinaryData = (item: number) => binary[names[item]!];
		Object.assign(context.helpers, { ...fake.helpers, ...context.helpers, assertBinaryData });
		return await runNode('video', context, n8n.machine);
	};
	return { n8n, call };
}

test.each(['new a b c', 'b c', 'c b a'])(
	'%s: each row has the video of its picture',
	async (later) => {
		const { n8n, call } = open();
		const { faults, jobs, account } = n8n.state;
		const fault = { kind: 'status', status: 403 } as const;
		faults.add({ match: { kind: 'create', bodyPattern: 'store:c' }, fault, times: 1 });
		const both = async () => {
			await expect(call('a b c')).rejects.toThrow('1 of 3 failed');
			const [items = []] = await call(later);
			return items.map(({ json }) => JSON.stringify(jobs.find(String(json.jobId))?.body));
		};
		const made = await n8n.clock.run(both());
		for (const [row, name] of later.split(' ').entries())
			expect(made[row]).toContain(`store:${name}`);
		expect(account.charges).toHaveLength(later.includes('new') ? 4 : 3);
	},
);
