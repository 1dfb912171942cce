import { VirtualN8n } from '../../support/virtualRun.mts';
import { wrongResults } from '../../support/wrongResults.mts';

/** What part f and g count as wrong. */

const BATCH = {
	items: [{ prompt: 'cat' }, { prompt: 'dog [fail]' }],
	parameters: (index: number) => ({
		resource: 'image',
		operation: 'generate',
		size: '1:1',
		prompt: BATCH.items[index]?.prompt,
		options: {},
	}),
	node: { onError: 'continueRegularOutput' as const },
};

async function ran() {
	const n8n = new VirtualN8n();
	return { state: n8n.state, execution: await n8n.clock.run(n8n.execute(BATCH)) };
}

test('nothing where all is as the service has it, a failure too', async () => {
	const { execution, state } = await ran();
	expect(execution.items.map(({ json }) => json.status)).toEqual(['completed', 'failed']);
	expect(wrongResults(execution, state)).toBe(0);
});

test.each([
	['the URL of another job', { mediaUrl: 'https://service.example/media/other.png' }],
	['no URL', { mediaUrl: null }],
	['another state', { status: 'failed' }],
	['other credits', { creditsUsed: 1 }],
	['a time before the end', { details: { waitedMs: 100 } }],
	['a job that is not there', { jobId: 'other' }],
])('an item with %s', async (_, lie) => {
	const { execution, state } = await ran();
	Object.assign(execution.items[0]?.json ?? {}, lie);
	expect(wrongResults(execution, state)).toBe(1);
});

test('both items of one job, and one that is missing', async () => {
	const { execution, state } = await ran();
	const [first] = execution.items;
	execution.items = first ? [first, first] : [];
	expect(wrongResults(execution, state)).toBe(1);
	execution.items = [];
	expect(wrongResults(execution, state)).toBe(2);
});
