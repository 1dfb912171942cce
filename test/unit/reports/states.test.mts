import type { IDataObject } from 'n8n-workflow';

import { flat } from '../../support/flat.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';

/** Answers of a status that say something else than one of the documented states. */

const GENERATE = { resource: 'image', operation: 'generate', prompt: 'a kite', size: '1:1' };

/** An image is ordered; its status answers 200 with this body. */
async function waited(body: Record<string, unknown>, parameters: IDataObject = {}) {
	const n8n = new VirtualN8n();
	n8n.state.faults.add({ match: { kind: 'status' }, fault: { kind: 'status', status: 200, body } });
	const options = { timeout: 30, ...(parameters.options as IDataObject) };
	const execution = await n8n.clock.run(
		n8n.execute({ items: [{}], parameters: { ...GENERATE, ...parameters, options } }),
	);
	return { ...execution, id: n8n.state.jobs.list[0]?.id };
}

const STATELESS: Array<[string, Record<string, unknown>, string | undefined]> = [
	['an error in the documented form', { success: false, error: 'task expired' }, 'task expired'],
	['a code of its own', { code: 422, msg: 'content blocked', data: null }, 'content blocked'],
	['an error as an object', { error: { message: 'gone for good' } }, 'gone for good'],
	['nothing', {}, undefined],
];

describe.each(STATELESS)('a status without a state: %s', (_, body, words) => {
	test('the error says that the state is not known, and what was said', async () => {
		const { error, id } = await waited(body);
		expect(error?.message).toBe(`Job ${id} was not seen to finish within 30 seconds`);
		expect(error?.description).toContain('Its status has no state.');
		expect(error?.description).not.toContain('goes on at the service');
		if (words) expect(error?.description).toContain(`The service said: ${words}.`);
	});

	test('Get Status: the item has the words and no state, and a hint says so', async () => {
		const n8n = new VirtualN8n();
		n8n.state.faults.add({
			match: { kind: 'status' },
			fault: { kind: 'status', status: 200, body },
		});
		const parameters = { resource: 'job', operation: 'get', jobId: 'gen-1' };
		const { items, hints } = await n8n.clock.run(n8n.execute({ items: [{}], parameters }));
		const json = flat(items[0]?.json ?? {});
		expect([json.status, json.errorMessage]).toEqual([null, words]);
		const told = hints.map(({ message }) => message).join('\n');
		expect(told).toContain('Its status has no state.');
		if (words) expect(told).toContain(words);
	});
});

test.each(['content_filtered', 'expired'])(
	'the reason of the unknown state %s is told',
	async (status) => {
		const { error } = await waited({ status, error_message: 'not allowed here' });
		expect(error?.description).toContain(`It was last seen ${status}`);
		expect(error?.description).toContain('The service said: not allowed here.');
	},
);

test('what a job says while it runs is no reason', async () => {
	const { error } = await waited({ status: 'processing', message: 'Nearly there' });
	expect(error?.message).toContain('was not seen to finish within 30 seconds');
	expect(error?.description).not.toContain('Nearly there');
});

test.each(['error_message', 'error', 'message', 'reason', 'detail'])(
	'a job that has failed gives its reason in %s',
	async (field) => {
		const { error } = await waited({ status: 'failed', [field]: 'no cats' });
		expect(error?.message).toMatch(/^Job \S+ failed: no cats$/);
	},
);
