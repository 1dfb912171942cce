import { outputsOf } from '../../tools/lib/n8nClient.mts';
import { addressesSent, fetched, photo, PHOTO, submitPhoto } from '../support/forms.mts';
import { useSharedN8n } from '../support/useRealN8n.mts';

/** A photo of a form becomes a video in a real n8n, which gives it an address. */

jest.setTimeout(150_000);

const SIGNED = /^http:\/\/127\.0\.0\.1:\d+\/rest\/binary-data\/signed\?token=[\w.-]+$/;

const n8n = useSharedN8n({ sandbox: { jobMs: { min: 0, max: 0 } } });

/** A family whose jobs are read at once. */
const QUICK = {
	...{ resource: 'vidB26', operation: 'imageToVideo', duration: '5' },
	...{ aspectRatio: '1:1', imageUrls: 'Photo' },
};

test.each([
	['waited for', true],
	['not waited for: it is there after n8n has put the files of the form elsewhere', false],
])('the service can fetch it, %s', async (_, waitForCompletion) => {
	n8n.sandbox.settings.shapes.record.echo = true;
	const options = { simplify: false };
	const parameters = { ...QUICK, waitForCompletion, options };
	const workflow = await submitPhoto(n8n, { parameters });
	const execution = await n8n.client.waitForWorkflow(workflow);
	expect(execution.error).toBeUndefined();
	const [address = ''] = addressesSent(n8n);
	expect(address).toMatch(SIGNED);
	expect(await fetched(address)).toEqual({ status: 200, type: 'image/png', bytes: PHOTO });
	expect(n8n.sandbox.jobs).toHaveLength(1);

	// What the service says of the request is stored without what opens the address.
	const [[item] = []] = outputsOf(execution, 'MediaGen');
	if (waitForCompletion)
		expect(JSON.stringify(item?.json)).toContain('/rest/binary-data/signed?token=***');
	expect(JSON.stringify(execution)).not.toContain(address.slice(address.indexOf('=') + 1));
});

test('all photos of one field', async () => {
	const files = ['1', '2'].map((end) => photo(Buffer.concat([PHOTO, Buffer.from(end)])));
	const parameters = { waitForCompletion: false, imageUrls: '={{ Object.keys($binary) }}' };
	const workflow = await submitPhoto(n8n, { file: files, parameters });
	const execution = await n8n.client.waitForWorkflow(workflow);
	expect(execution.error).toBeUndefined();
	const sent = await Promise.all(addressesSent(n8n).map(fetched));
	// n8n names them in the order in which they have arrived.
	expect(sent.map(({ bytes }) => String(bytes).at(-1)).sort()).toEqual(['1', '2']);
});

test('a file that is no picture: nothing is paid for', async () => {
	const file = new File(['Beach'], 'beach.txt', { type: 'text/plain' });
	const workflow = await submitPhoto(n8n, { file });
	const { error } = await n8n.client.waitForWorkflow(workflow, { until: ['error'] });
	expect(error?.message).toContain('must be an image, but "beach.txt" is text/plain');
	expect(n8n.sandbox.jobs).toEqual([]);
});

test('an n8n that the service cannot reach: nothing is paid for', async () => {
	const outside = { baseUrl: 'https://service.example', apiKey: 'none' };
	const workflow = await submitPhoto(n8n, { credential: await n8n.addCredential(outside) });
	const { error } = await n8n.client.waitForWorkflow(workflow, { until: ['error'] });
	expect(error?.message).toMatch(
		/^Images \(imageUrls\) cannot be the file "beach\.png": the service would fetch it from this n8n, whose address is http:\/\/127\.0\.0\.1:\d+, and cannot reach that\./,
	);
});
