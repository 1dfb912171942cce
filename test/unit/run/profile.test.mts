import type { IDataObject } from 'n8n-workflow';

import { VirtualN8n } from '../../support/virtualRun.mts';

/** Profile > Update: what is sent of the fields that were added, and what is made of the answer, which is not shown. */

async function updated(
	added: object,
	{ evaluated, answer }: { evaluated?: object; answer?: object } = {},
) {
	const n8n = new VirtualN8n();
	n8n.state.account.profile.watermark_text = 'old';
	if (answer)
		n8n.state.faults.add({
			match: { method: 'PUT' },
			fault: { kind: 'status', status: 200, ...answer },
		});
	const parameters = { resource: 'profile', operation: 'update', additionalFields: added };
	const { items, error } = await n8n.run({
		...{ items: [{}], kind: 'account' },
		parameters: parameters as IDataObject,
		evaluated: evaluated as IDataObject | undefined,
	});
	const [sent] = n8n.state.journal.entries.map(({ body }) => body);
	const { watermark_text: text } = n8n.state.account.profile;
	return { sent, text, json: items[0]?.json, message: error?.message };
}

test.each([
	[{ watermark_text: '', enable_watermark: true }, ''],
	[{ watermark_text: ' ' }, ' '],
	[{ watermark_text: 'new', enable_watermark: false }, 'new'],
])('%j: all of it is sent', async (given, text) => {
	expect(await updated(given)).toMatchObject({ sent: given, message: undefined, text });
});

test.each([null, undefined])('an expression that gives %p leaves the text', async (nothing) => {
	const additionalFields = { watermark_text: nothing, enable_watermark: true };
	expect(await updated({}, { evaluated: { additionalFields } })).toMatchObject({
		sent: { enable_watermark: true },
		text: 'old',
	});
});

test.each([
	[{ body: ' \n' }, { status: 200 }],
	[{ status: 204, body: '' }, { status: 204 }],
	[{ body: { data: { saved: 1 } } }, { saved: 1 }],
])('answered with %j', async (answer, item) => {
	expect((await updated({ enable_watermark: true }, { answer })).json).toEqual(item);
});
