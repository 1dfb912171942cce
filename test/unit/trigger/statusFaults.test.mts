import type { FaultRuleInput } from '../../../sandbox/faults.mts';
import { VirtualPolling } from '../../support/virtualPoll.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';
import { startJob } from './tell.mts';

const MINUTE_MS = 60_000;

/** A list that does not tell results, so that the job's own status has to. */
async function told(fault: FaultRuleInput['fault'], afterMs: number) {
	const n8n = new VirtualN8n({ settings: { shapes: { list: { entries: { urls: false } } } } });
	const { clock, state } = n8n;
	const workflow = new VirtualPolling(n8n).add();
	await clock.run(workflow.activate());
	startJob(state, { made: 'image generate', fails: false, ms: 1000 });
	state.faults.add({ match: { kind: 'status' }, fault });
	await clock.advance(afterMs);
	const before = workflow.items.map(({ json }) => json.mediaUrl);
	state.faults.clear();
	await clock.advance(10 * MINUTE_MS);
	const { items, messages } = workflow;
	return { before, after: items.map(({ json }) => json.mediaUrl), messages };
}

const media = expect.stringContaining('https://');

describe('a status that cannot be read', () => {
	it.each<[string, FaultRuleInput['fault']]>([
		['429', { kind: 'status', status: 429 }],
		['500', { kind: 'status', status: 500 }],
		['no connection', { kind: 'reset' }],
		['garbage', { kind: 'garbage' }],
		['no answer', { kind: 'hang' }],
		['a body without a state', { kind: 'status', status: 200, body: '{}' }],
	])('%s for three minutes: the job is told of later, with its media', async (_, fault) => {
		const { before, after, messages } = await told(fault, 3 * MINUTE_MS);
		expect({ before, after, messages }).toEqual({ before: [], after: [media], messages: [] });
	});

	it.each<[string, FaultRuleInput['fault']]>([
		['404', { kind: 'status', status: 404 }],
		['500 for an hour', { kind: 'status', status: 500 }],
	])('%s: the item is what the list tells, and the log says so', async (_, fault) => {
		const { before, after, messages } = await told(fault, 60 * MINUTE_MS);
		expect({ before, after }).toEqual({ before: [null], after: [null] });
		expect(messages).toEqual([expect.stringContaining('cannot be read')]);
	});
});

it.each([2, 60])(
	'an answer about another job, for %i minutes: each has its own result, or none',
	async (minutes) => {
		const mixedUp = { from: '', to: undefined as unknown };
		const n8n = new VirtualN8n({
			settings: { shapes: { list: { entries: { urls: false } } } },
			retell: (answer, { url }) => (url.endsWith(mixedUp.from) ? mixedUp.to : answer),
		});
		const { clock, state } = n8n;
		mixedUp.from = 'none yet';
		const workflow = new VirtualPolling(n8n).add();
		await clock.run(workflow.activate());
		for (const ms of [1000, 90_000]) startJob(state, { made: 'image generate', fails: false, ms });
		const [first, second] = state.jobs.list;
		mixedUp.from = `/${first!.id}/`;
		mixedUp.to = { id: second!.id, status: 'completed', image_url: 'https://cdn.example/2.png' };
		await clock.advance(minutes * MINUTE_MS);
		mixedUp.from = 'no more';
		await clock.advance(10 * MINUTE_MS);
		const told = Object.fromEntries(
			workflow.items.map(({ json }) => [json.jobId, json.mediaUrl]),
		) as Record<string, unknown>;
		const isShort = minutes < 5;
		expect(told[first!.id]).toEqual(isShort ? expect.stringContaining(first!.id) : null);
		expect(told[second!.id]).toEqual(expect.stringContaining(second!.id));
		expect(workflow.items).toHaveLength(2);
	},
);
