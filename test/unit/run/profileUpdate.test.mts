import type { IDataObject } from 'n8n-workflow';

import { VirtualN8n } from '../../support/virtualRun.mts';

describe('what is sent of the fields that were added', () => {
	async function updated(added: object, evaluated?: IDataObject) {
		const n8n = new VirtualN8n();
		n8n.state.account.profile.watermark_text = 'old';
		const parameters = {
			resource: 'profile',
			operation: 'update',
			additionalFields: added,
		} as IDataObject;
		const { error } = await n8n.clock.run(
			n8n.execute({ items: [{}], kind: 'account', parameters, evaluated }),
		);
		const [sent] = n8n.state.journal.entries.map(({ body }) => body);
		return { sent, message: error?.message, text: n8n.state.account.profile.watermark_text };
	}

	test.each([
		[{ watermark_text: '' }, ''],
		[{ watermark_text: '', enable_watermark: true }, ''],
		[{ watermark_text: ' ' }, ' '],
		[{ watermark_text: 'new', enable_watermark: false }, 'new'],
	])('%j: all of it', async (given, text) => {
		expect(await updated(given)).toEqual({ sent: given, message: undefined, text });
	});

	test.each([null, undefined])('an expression that gives %p leaves the text', async (nothing) => {
		const given = { watermark_text: nothing, enable_watermark: true };
		expect(await updated({}, { additionalFields: given as IDataObject })).toMatchObject({
			sent: { enable_watermark: true },
			text: 'old',
		});
	});
});
