import { VirtualN8n, type NodeSettings } from '../../support/virtualRun.mts';
import { toldBy } from '../../support/toldBy.mts';

/** Creations that are paid for and answered with an identifier under a name that nobody knows. */
async function run(node: NodeSettings, credential = {}) {
	const shapes = { creation: { idField: 'taskId' } };
	const n8n = new VirtualN8n({ settings: { shapes } }, credential);
	const execution = await n8n.clock.run(
		n8n.execute({
			items: [{}, {}],
			parameters: (item) => ({
				resource: 'image',
				operation: 'generateUnified',
				prompt: `a cat ${item}`,
				aspectRatio: '1:1',
			}),
			node,
		}),
	);
	return { n8n, execution, ids: n8n.state.jobs.list.map(({ id }) => id) };
}

test.each([
	// What comes of the first job is known before another is begun; in doubt, none is.
	['at once', {}, 1],
	['after all tries', { retryOnFail: true, maxTries: 3 }, 1],
])('the error names every paid job, %s', async (_, node, paid) => {
	const { execution, ids } = await run(node);
	const text = toldBy(execution.error);
	expect(ids).toHaveLength(paid);
	for (const id of ids) expect(text).toContain(`"taskId":"${id}"`);
	expect(text).not.toContain('Base URL');
	expect(text).toContain('Field: Job Identifier');
});

test('with the name entered after that, Retry execution waits for the jobs that are paid for', async () => {
	const { n8n, execution, ids } = await run({});
	Object.assign(n8n.credential, {
		identifierField: 'taskId',
		imageStatusPath: '/open/status/{job_id}/',
	});
	const { items } = await n8n.clock.run(n8n.retry(execution));
	expect(items.map(({ json }) => json.status)).toEqual(['completed', 'completed']);
	expect(items.map(({ json }) => json.jobId)).toEqual([...ids, n8n.state.jobs.list[1]?.id]);
	expect(n8n.state.jobs.list).toHaveLength(2);
});
