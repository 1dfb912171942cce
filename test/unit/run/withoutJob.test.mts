import type { IDataObject } from 'n8n-workflow';

import { VirtualN8n, type NodeSettings } from '../../support/virtualRun.mts';

/** Items that name no job, where jobs are read: a row of Get Paid Jobs Back may have none. */

const UNKNOWN = {
	jobId: null,
	status: null,
	unknownOutcome: 'No answer',
	itemIndex: 2,
	prompt: 'c',
};

/** Runs *Job > Wait* or *Get Status* over rows, with the Job ID that the form begins with. */
async function read(
	operation: string,
	rowsOf: (ids: string[]) => IDataObject[],
	{ options = {}, node }: { options?: IDataObject; node?: NodeSettings } = {},
) {
	const n8n = new VirtualN8n({ settings: { jobMs: { min: 4000, max: 4000 } } });
	const image = { resource: 'image', operation: 'generate', size: '1:1', waitForCompletion: false };
	const prompts = ['a', 'b'];
	await n8n.clock.run(
		n8n.execute({ items: [{}, {}], parameters: (i) => ({ ...image, prompt: prompts[i] }) }),
	);
	const ids = prompts.map(
		(prompt) => n8n.state.jobs.list.find(({ body }) => body.prompt === prompt)!.id,
	);
	const rows = rowsOf(ids);
	const ran = await n8n.clock.run(
		n8n.execute({
			items: rows,
			parameters: { resource: 'job', operation, options },
			node,
		}),
	);
	const items = ran.items.map(({ json }) => json);
	return { ...ran, items, ids, hints: ran.hints.map(({ message }) => message) };
}

const job = (jobId?: string): IDataObject => ({ jobId, startedWith: 'generation' });

test.each(['wait', 'get'])(
	'%s: a row of unknown outcome goes on as it came, and keeps no paid job from being read',
	async (operation) => {
		const { items, error, ids, hints, outputs } = await read(operation, ([a, b]) => [
			job(a),
			UNKNOWN,
			job(b),
		]);
		expect(error).toBeUndefined();
		expect(items.map(({ jobId }) => jobId)).toEqual([ids[0], null, ids[1]]);
		expect(items[1]).toEqual(UNKNOWN);
		expect(outputs[0]?.[1]?.pairedItem).toEqual({ item: 1 });
		expect(hints.join()).toContain('1 row has no job ID and goes on as received: row 2.');
	},
);

test.each([
	['stops', undefined],
	['is an item', 'continueRegularOutput' as const],
])('where no row names a job or says why, the field is wrong: the error %s', async (_, onError) => {
	const { error, items } = await read('wait', () => [{ name: 'x' }, {}], { node: { onError } });
	const told = onError ? items.map((item) => item.error) : [error?.message];
	for (const message of told) expect(message).toContain('Job ID is empty');
	expect(told).toHaveLength(onError ? 2 : 1);
});
