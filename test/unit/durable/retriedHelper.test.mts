import type { IDataObject, NodeExecutionHint, WorkflowExecuteMode } from 'n8n-workflow';

import { ROLES } from '../../../nodes/shared/durable/roleWorkflow.ts';
import { VirtualClock } from '../../support/virtualClock.mts';
import { virtualContext } from '../../support/virtualContext.mts';
import { BASE_URL, VirtualNetwork } from '../../support/virtualNetwork.mts';
import { runNode } from '../../support/product.mts';

/**
 * n8n lists in red, with an arrow to retry it, what worked for a durable run when n8n ended. A retry
 * gives the helper's item to the node that the user has saved, or runs the helper once more.
 */

const caller = { executionId: '231', workflowId: 'w', node: 'Images', runIndex: 0, runId: 'r' };

interface Retried {
	/** The item that comes in, and what the node remembers. */
	json: IDataObject;
	memory?: IDataObject;
	/** Parameters of the node besides its own. */
	more?: IDataObject;
	mode?: WorkflowExecuteMode;
	onError?: 'continueRegularOutput' | 'continueErrorOutput';
}

async function retry({ json, memory = {}, more, mode = 'retry', onError }: Retried) {
	const clock = new VirtualClock();
	const network = new VirtualNetwork(clock);
	const hints: NodeExecutionHint[] = [];
	const context = virtualContext({
		kind: 'image',
		network,
		credential: { baseUrl: BASE_URL, apiKey: network.state.settings.key },
		items: [{ json: { a: 1 } }, { json }],
		parameters: { resource: 'image', operation: 'generate', prompt: 'a cat', size: '1:1', ...more },
		node: {
			id: '1',
			name: 'Images',
			type: 'n8n-nodes-mediagen.mediaGenImage',
			typeVersion: 1,
			position: [0, 0],
			parameters: {},
			onError,
		},
		memory,
		executionId: '300',
		mode,
		hints,
		messages: [],
	});
	const [settled] = await clock.run(Promise.allSettled([runNode('image', context, clock)]));
	return { settled, hints, network };
}

/** By the field that marks the item: what a helper is started with, and what goes round in it. */
const ITEMS: Array<[string, IDataObject, IDataObject]> = [
	['of a worker that begins', { mediaGenWork: { version: 1, caller } }, {}],
	['of a worker in a later round', { mediaGenAgain: true }, { mediaGenWork: { caller } }],
	['of a supervisor', { mediaGenSupervisor: { version: 1, caller } }, {}],
	['of a supervisor in a later round', { mediaGenAgain: true }, { mediaGenSupervisor: { caller } }],
	['of what hands over', { mediaGenResume: { version: 1, caller } }, {}],
	[
		'of what hands over, in a later round',
		{ mediaGenAgain: true },
		{ items: [{ json: { mediaGenResume: { caller } } }] },
	],
];

test.each(ITEMS)(
	'the item %s: nothing is sent, and the error says where to go',
	async (_, json, memory) => {
		const { settled, network } = await retry({ json, memory });
		expect(settled).toMatchObject({
			status: 'rejected',
			reason: {
				message: 'Nothing was ordered: this is a helper of execution 231, or an item of one',
				description: expect.stringContaining('Look at execution 231'),
			},
		});
		expect(network.state.journal.entries).toEqual([]);
	},
);

test.each(['trigger', 'manual', 'webhook'] as const)(
	'nor where it comes in by another way: %s',
	async (mode) => {
		const { settled, network } = await retry({ json: { mediaGenAgain: true }, mode });
		expect(settled).toMatchObject({
			status: 'rejected',
			reason: {
				message: 'Nothing was ordered: this is a helper of an execution, or an item of one',
			},
		});
		expect(network.state.journal.entries).toEqual([]);
	},
);

test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
	'with %s, no item goes on to order something further on, and a hint says why',
	async (onError) => {
		const { settled, hints, network } = await retry({ json: { mediaGenAgain: true }, onError });
		expect(settled).toEqual({ status: 'fulfilled', value: [[]] });
		expect(hints).toEqual([
			{
				message: expect.stringContaining('Nothing was ordered'),
				type: 'warning',
				location: 'outputPane',
			},
		]);
		expect(network.state.journal.entries).toEqual([]);
	},
);

test.each(ROLES)('retried in the role %s, a helper does nothing', async (durableRole) => {
	const json = { mediaGenWork: { version: 1, caller } };
	const { settled, network } = await retry({ json, more: { durableRole } });
	expect(settled).toMatchObject({
		status: 'rejected',
		reason: { message: expect.stringContaining('Nothing was ordered') },
	});
	expect(network.state.journal.entries).toEqual([]);
});

test.each<unknown>(['<img src="https://evil.example/x.png">', { toString: 'evil' }])(
	'an item from outside has no say in what is told: %p',
	async (executionId) => {
		const { settled } = await retry({ json: { mediaGenWork: { caller: { executionId } } } });
		expect(settled).toMatchObject({
			status: 'rejected',
			reason: { description: expect.not.stringContaining('evil') },
		});
	},
);
