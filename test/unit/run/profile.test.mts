import type { IDataObject } from 'n8n-workflow';

import { VirtualN8n } from '../../support/virtualRun.mts';

/** Profile > Update: what becomes of the text of the watermark, and what is made of the answer. */

/** @param answer in place of the service's own, which is not shown */
async function updated(additionalFields: object, answer?: object) {
	const n8n = new VirtualN8n();
	n8n.state.account.profile.watermark_text = 'old';
	const fault = { kind: 'status', status: 200, ...answer } as const;
	if (answer) n8n.state.faults.add({ match: { method: 'PUT' }, fault });
	const parameters = { resource: 'profile', operation: 'update' };
	const evaluated = { additionalFields } as IDataObject;
	const { items, error } = await n8n.run({ items: [{}], kind: 'account', parameters, evaluated });
	expect(error).toBeUndefined();
	return { text: n8n.state.account.profile.watermark_text, json: items[0]?.json };
}

test.each([
	['', ''],
	[' ', ' '],
	['new', 'new'],
	// What an expression gives.
	[null, 'old'],
	[undefined, 'old'],
])('the text %j: it is %j then', async (watermark_text, text) => {
	expect((await updated({ watermark_text, enable_watermark: true })).text).toBe(text);
});

test.each([
	[{ body: ' \n' }, { status: 200 }],
	[{ status: 204, body: '' }, { status: 204 }],
	[{ body: { data: { saved: 1 } } }, { saved: 1 }],
])('answered with %j', async (answer, item) => {
	expect((await updated({ enable_watermark: true }, answer)).json).toEqual(item);
});
