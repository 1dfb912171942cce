import { outputsOf } from '../../tools/lib/n8nClient.mts';
import { isN8nBefore } from '../support/n8nVersion.mts';
import { addressesSent, fetched, photo, PHOTO, submitPhoto } from '../support/photoForm.mts';
import { useSharedN8n } from '../support/useRealN8n.mts';

/** A photo of a form becomes a video in a real n8n, which gives it an address. */

jest.setTimeout(150_000);

const SIGNED = /^http:\/\/127\.0\.0\.1:\d+\/rest\/binary-data\/signed\?token=[\w.-]+$/;

const n8n = useSharedN8n({ sandbox: { jobMs: { min: 0, max: 0 } } });

test.each([
	['waited for', true],
	['not waited for: it is there after n8n has put the files of the form elsewhere', false],
])('the service can fetch it, %s', async (_, waitForCompletion) => {
	n8n.sandbox.settings.shapes.record.echo = true;
	const parameters = { waitForCompletion };
	const workflow = await submitPhoto(n8n, { parameters });
	const execution = await n8n.client.waitForWorkflow(workflow);
	expect(execution.error).toBeUndefined();
	const [address = ''] = addressesSent(n8n);
	expect(address).toMatch(SIGNED);
	expect(await fetched(address)).toEqual({ status: 200, type: 'image/png', bytes: PHOTO });
	expect(n8n.sandbox.jobs).toHaveLength(1);

	const [[item] = []] = outputsOf(execution, 'MediaGen');
	if (waitForCompletion)
		expect(item?.json.mediaUrl).toBe(`${n8n.sandbox.url}/media/${n8n.sandbox.jobs[0]?.id}.mp4`);
	expect(JSON.stringify(execution)).not.toContain('token=ey');
});

test.each([1, 2])('all photos of one field, of which a person has chosen %i', async (count) => {
	const files = Array.from({ length: count }, (_, index) =>
		photo(Buffer.concat([PHOTO, Buffer.from(`${index}`)])),
	);
	const imageUrls = '={{ Object.keys($binary) }}';
	const workflow = await submitPhoto(n8n, {
		file: files,
		parameters: { imageUrls },
	});
	const execution = await n8n.client.waitForWorkflow(workflow);
	expect(execution.error).toBeUndefined();
	const sent = await Promise.all(addressesSent(n8n).map(fetched));
	const chosen = await Promise.all(
		files.map(async (file) => Buffer.from(await file.arrayBuffer())),
	);
	// n8n names them in the order in which they have arrived.
	const inOrder = (all: Buffer[]) => all.map((bytes) => bytes.toString('base64')).sort();
	expect(inOrder(sent.map(({ bytes }) => bytes))).toEqual(inOrder(chosen));
});

test('what the service says of the request is stored without what opens the address', async () => {
	n8n.sandbox.settings.shapes.record.echo = true;
	const options = { simplify: false };
	const workflow = await submitPhoto(n8n, { parameters: { options } });
	const execution = await n8n.client.waitForWorkflow(workflow);
	const [[item] = []] = outputsOf(execution, 'MediaGen');
	const [address = ''] = addressesSent(n8n);
	expect(JSON.stringify(item?.json)).toContain('/rest/binary-data/signed?token=***');
	expect(JSON.stringify(execution)).not.toContain(address.slice(address.indexOf('=') + 1));
});

test('a retry of the execution gives it a new address', async () => {
	n8n.sandbox.faults.add({
		match: { kind: 'create' },
		fault: { kind: 'status', status: 400 },
		times: 1,
	});
	const workflow = await submitPhoto(n8n);
	const failed = await n8n.client.waitForWorkflow(workflow, { until: ['error'] });
	const id = await n8n.client.retryExecution(failed.id);
	const retried = await n8n.client.waitForExecution(id);
	expect(retried.error).toBeUndefined();
	const [address = ''] = addressesSent(n8n);
	expect(await fetched(address)).toMatchObject({ status: 200, bytes: PHOTO });
	expect(n8n.sandbox.jobs).toHaveLength(1);
});

const EMPTY: [is: string, file: File, reason: string] = [
	'is empty',
	photo(Buffer.alloc(0)),
	'must be an image, but "beach.png" is empty',
];

test.each<[is: string, file: File, reason: string]>([
	[
		'is no picture',
		new File(['Beach'], 'beach.txt', { type: 'text/plain' }),
		'must be an image, but "beach.txt" is text/plain',
	],
	// Older forms leave it out; those of 2.33 answer 500.
	...(isN8nBefore('2.40') ? [] : [EMPTY]),
])('a file that %s: nothing is paid for', async (_, file, reason) => {
	const workflow = await submitPhoto(n8n, { file });
	const { error } = await n8n.client.waitForWorkflow(workflow, { until: ['error'] });
	expect(error?.message).toContain(reason);
	expect(n8n.sandbox.jobs).toEqual([]);
});

test('an n8n that the service cannot reach: nothing is paid for', async () => {
	const credential = await n8n.addCredential({
		baseUrl: 'https://service.example',
		apiKey: 'none',
	});
	const workflow = await submitPhoto(n8n, { credential });
	const { error } = await n8n.client.waitForWorkflow(workflow, { until: ['error'] });
	expect(error?.message).toMatch(
		/^Images \(imageUrls\) cannot be the file "beach\.png": the service would fetch it from this n8n, whose address is http:\/\/127\.0\.0\.1:\d+, and cannot reach that\./,
	);
});
