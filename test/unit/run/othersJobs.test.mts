import { type Execution, VirtualN8n } from '../../support/virtualRun.mts';
import { toldBy } from '../../support/toldBy.mts';

/**
 * One account, one workflow with a fixed prompt, a picture of each customer's own. A's creation never
 * reaches the service; B orders at the same time. The history shows neither size nor pictures, so that
 * B's video looks like the one that A has lost. Whatever a process knows goes by address and key:
 * another address of the same length stands for another process, or for n8n after a restart.
 */

const HERE = 'https://service.example';
const ELSEWHERE = 'https://servicx.example';
const PROMPT = 'Animate this photo';

const video = (customer: string, retryOnFail = false) => ({
	items: [{}],
	kind: 'video' as const,
	parameters: {
		resource: 'standardVideo',
		operation: 'generate',
		video_model: 'modelA_fast',
		aspect_ratio: '16:9',
		prompt: PROMPT,
		source_image_urls: [`https://pictures.example/${customer}.jpg`],
		prompt_directory_optin: false,
	},
	...(retryOnFail && { node: { retryOnFail, maxTries: 3, waitBetweenTries: 2000 } }),
});

function twoProcesses(where: string) {
	const settings = { seed: 5, jobMs: { min: 40_000, max: 40_000 }, credits: { purchased: 5000 } };
	const a = new VirtualN8n({ settings }, { baseUrl: HERE });
	const b = new VirtualN8n({}, { baseUrl: where }, a);
	a.state.faults.add({
		match: { kind: 'create', bodyPattern: 'customer-a' },
		fault: { kind: 'status', status: 502 },
		when: 'before',
		times: 1,
	});
	const picturesOf = ({ items }: Execution) =>
		items.map(({ json }) => a.state.jobs.find(String(json.jobId))?.body.source_image_urls);
	return { a, b, picturesOf };
}

const PICTURE_B = ['https://pictures.example/customer-b.jpg'];

describe.each([
	['another process', ELSEWHERE],
	['the same process', HERE],
])('B orders in %s', (_, where) => {
	test.each([
		['before', 5000, 0],
		['after', 0, 500],
	])('%s A, which tries again: A gets no video of B', async (_when, aAt, bAt) => {
		const { a, b, picturesOf } = twoProcesses(where);
		const [forA, forB] = await a.clock.run(
			Promise.all([
				a.clock.sleep(aAt).then(async () => await a.execute(video('customer-a', true))),
				a.clock.sleep(bAt).then(async () => await b.execute(video('customer-b'))),
			]),
		);
		expect(picturesOf(forB)).toEqual([PICTURE_B]);
		expect(forA.items).toEqual([]);
		expect(forA.error?.message).toContain('Not sent again');
		// The history is read once, when the answer to A is lost.
		const isRead = where !== HERE && bAt < aAt;
		const named = forA.error?.description?.includes(String(forB.items[0]?.json.jobId));
		expect(named).toBe(isRead);
		expect(a.state.account.charges).toHaveLength(1);
	});
});

test('n8n is restarted, and a person retries: first told of the job of B, then it is ordered', async () => {
	const { a, b, picturesOf } = twoProcesses(HERE);
	const lost = await a.clock.run(a.execute(video('customer-a')));
	await a.clock.advance(30_000);
	const forB = await a.clock.run(b.execute(video('customer-b')));
	await a.clock.advance(600_000);
	a.credential.baseUrl = ELSEWHERE;
	const told = await a.clock.run(a.retry(lost));
	expect(toldBy(told.error)).toContain(forB.items[0]?.json.jobId);
	expect(a.state.account.charges).toHaveLength(1);
	const anew = await a.clock.run(a.retry(told));
	expect(picturesOf(anew)).toEqual([['https://pictures.example/customer-a.jpg']]);
});
