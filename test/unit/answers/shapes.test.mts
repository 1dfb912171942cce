import type { IDataObject } from 'n8n-workflow';

import { toldBy } from '../../support/toldBy.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';

/** Answers whose shape the document does not show: identifier, state and result are found wherever they stand. */

const VIDEO = {
	...{ resource: 'vidD', operation: 'generate', prompt: 'a kite', aspect_ratio: '16:9' },
	...{ resolution: '480p', duration: '4', generate_audio: false },
};

const URL_1 = 'https://cdn.example/1.mp4';

/** A video whose creation and status answer so; of more answers to the status, the last one stays. */
async function made(creation: unknown, records: unknown[], settings: IDataObject = {}) {
	const left = [...records];
	const retell = (_: unknown, { method }: { method?: string }) =>
		method === 'POST' ? creation : left.length > 1 ? left.shift() : left[0];
	const n8n = new VirtualN8n({ retell }, { statusPath: '/state/{job_id}/', ...settings });
	n8n.state.faults.add({
		match: { method: 'GET' },
		fault: { kind: 'status', status: 200, body: {} },
	});
	const parameters = { ...VIDEO, options: { timeout: 60 } };
	const { items, error } = await n8n.run({ items: [{}], kind: 'video', parameters });
	const paths = n8n.state.journal.ofKind('status').map(({ path }) => path);
	return { json: items[0]?.json ?? {}, error, jobs: n8n.state.jobs.list.length, paths };
}

const DONE = { status: 'completed', video_url: URL_1 };

test('a message about a job that has begun is no error', async () => {
	const data = { job_id: 'J-1', status: 'pending', message: 'Generation started' };
	const n8n = new VirtualN8n({ retell: () => ({ success: true, data }) });
	const parameters = { ...VIDEO, waitForCompletion: false };
	const { items } = await n8n.run({ items: [{}], kind: 'video', parameters });
	expect(items[0]!.json).toMatchObject({ jobId: 'J-1', status: 'pending' });
	expect(items[0]!.json).not.toHaveProperty('errorMessage');
});

describe('the identifier of a creation', () => {
	const FOUND: Array<[string, unknown, IDataObject?]> = [
		['in data', { success: true, data: { task_id: 'J-1', queue_position: 3 } }],
		['beside data', { success: true, job_id: 'J-1', data: { queue_position: 3 } }],
		['of several, the first name', { id: 'd', job_id: 'c', task_id: 'b', generation_id: 'J-1' }],
		['under a name of the credential', { id: 'x', ref: 'J-1' }, { identifierField: 'ref' }],
		['where the credential is wrong', { id: 'J-1' }, { identifierField: 'constructor.name' }],
	];

	test.each(FOUND.map(([place, ...given]) => ({ place, given })))('$place', async ({ given }) => {
		const [creation, settings] = given;
		const { json, error, jobs } = await made(creation, [{ ...DONE, id: 'J-1' }], settings);
		expect([error, jobs]).toEqual([undefined, 1]);
		expect(json).toMatchObject({ jobId: 'J-1', status: 'completed', mediaUrl: URL_1 });
	});

	test.each<[unknown]>([
		[{ success: true }],
		[[]],
		['ok'],
		[{ id: '' }],
		[{ success: false, data: { generation_id: 'J-1' } }],
		[{ data: { taskId: 'T-77', filler: 'x'.repeat(3000), last: 'the end' } }],
	])('that nobody knows is doubt, and the answer is told: %j', async (creation) => {
		const { error, jobs } = await made(creation, [DONE]);
		expect(jobs).toBe(1);
		expect(error?.message).toContain('no known identifier');
		expect(error?.message.length).toBeLessThan(200);
		expect(error?.description).toContain('may exist and be paid for');
		expect(toldBy(error)).toContain(JSON.stringify(creation).slice(-20));
	});

	test.each(['..', 'a/../b', 'x?y#z'])('%j leaves no path', async (id) => {
		const { json, error, paths } = await made({ task_id: id }, [DONE]);
		expect(json.jobId ?? error?.message).toContain(id);
		for (const path of paths) expect(path).toBe(`/state/${encodeURIComponent(id)}/`);
	});
});

describe('the record of a status', () => {
	test.each<[string, object]>([
		['flat', DONE],
		['in data', { success: true, data: DONE }],
		['another name', { video_url: URL_1, status: 'ok', phase: 'Completed' }],
		['white space and upper case', { ...DONE, status: ' COMPLETED ' }],
		['a state in the echo of the request', { ...DONE, title: 'Failed', prompt: 'failed' }],
	])('%s: is completed, and has its URL', async (_, record) => {
		const { json, error } = await made({ task_id: 'J-1' }, [{ status: 'queued' }, record]);
		expect(error).toBeUndefined();
		expect(json).toMatchObject({ jobId: 'J-1', status: 'completed', mediaUrl: URL_1 });
	});
});

test('with the name of the identifier entered later, Retry execution waits for the job that is paid for', async () => {
	const n8n = new VirtualN8n({ settings: { shapes: { creation: { idField: 'taskId' } } } });
	const image = { resource: 'image', operation: 'generateUnified', aspectRatio: '1:1' };
	const parameters = { ...image, prompt: 'a kite' };
	const first = await n8n.run({ items: [{}], parameters });
	const id = n8n.state.jobs.list[0]?.id;
	expect(toldBy(first.error)).toContain(`"taskId":"${id}"`);
	expect(toldBy(first.error)).toContain('Field: Job Identifier');
	const path = '/open/status/{job_id}/';
	Object.assign(n8n.credential, { identifierField: 'taskId', imageStatusPath: path });
	const { items } = await n8n.rerun(first);
	expect(items.map(({ json }) => [json.status, json.jobId])).toEqual([['completed', id]]);
	expect(n8n.state.jobs.list).toHaveLength(1);
});
