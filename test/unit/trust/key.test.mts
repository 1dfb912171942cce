import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestOptions,
} from 'n8n-workflow';

import { CREDENTIAL } from '../../support/product.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';

/** The key goes to the origin of the Base URL, and nowhere else, whatever address the service or the user names. */

const SERVICE = 'https://service.example';

/** Another origin. */
const OTHER = 'https://cdn.example';

const IMAGE = { resource: 'image', operation: 'generate', prompt: 'a fox', size: '1:1' };

async function run(n8n: VirtualN8n, parameters: IDataObject = {}, kind?: 'video') {
	const options = { items: [{}], parameters: { ...IMAGE, ...parameters }, kind };
	return await n8n.clock.run(n8n.execute(options));
}

/** All that another origin has received. */
const receivedBy = ({ network }: VirtualN8n) => JSON.stringify(network.elsewhere);

test('media are downloaded from another origin without it', async () => {
	const n8n = new VirtualN8n({ settings: { mediaBase: OTHER } });
	const { items } = await run(n8n, { downloadMedia: true });
	expect(items[0]?.json.mediaUrl).toContain(`${OTHER}/`);
	expect(Object.values(items[0]?.binary ?? {})).toHaveLength(1);
	expect(n8n.network.elsewhere).toHaveLength(1);
	const names = Object.keys(n8n.network.elsewhere[0]!.headers).map((name) => name.toLowerCase());
	expect(names).not.toContain('authorization');
	expect(receivedBy(n8n)).not.toContain(n8n.state.settings.key);
});

test('a link to the status of a job that leads to another origin is not followed', async () => {
	const n8n = new VirtualN8n({
		retell: (answer, { method }) => {
			const { data } = answer as { data: { task_id: string } };
			if (method !== 'POST') return answer;
			return { data: { ...data, status_url: `${OTHER}/jobs/${data.task_id}` } };
		},
	});
	const video = { resource: 'vidD', prompt: 'a fox', aspect_ratio: '16:9', duration: '4' };
	await run(n8n, { ...video, resolution: '480p', generate_audio: false }, 'video');
	expect(n8n.state.jobs.list).toHaveLength(1);
	expect(n8n.network.elsewhere).toEqual([]);
});

test.each(['create', 'status', 'list'] as const)(
	'a redirect to another origin in place of an answer (%s) is not followed',
	async (kind) => {
		const n8n = new VirtualN8n();
		const headers = { location: `${OTHER}/stolen` };
		n8n.state.faults.add({ match: { kind }, fault: { kind: 'status', status: 302, headers } });
		await run(n8n, { options: { timeout: 30 } });
		expect(receivedBy(n8n)).toBe('[]');
	},
);

const KEY = 'mg_0123456789abcdef';

/** What n8n sends for another node of the workflow, such as HTTP Request, that uses the credential. */
async function sentWith(settings: IDataObject, request: Partial<IHttpRequestOptions>) {
	const credential = { baseUrl: SERVICE, apiKey: KEY, ...settings };
	const authenticate = CREDENTIAL.authenticate as (
		credential: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	) => Promise<IHttpRequestOptions>;
	return await authenticate(credential as ICredentialDataDecryptedObject, {
		url: '',
		...request,
	});
}

// From the document: "Three header forms are accepted".
test.each([
	['bearer', `Bearer ${KEY}`],
	['token', `Token ${KEY}`],
	['key', KEY],
])('the header has the form that the credential says: %s', async (headerForm, authorization) => {
	const { headers, url } = await sentWith({ headerForm }, { url: `${SERVICE}/api/profile/` });
	expect(headers).toEqual({ Authorization: authorization });
	expect(url).toBe(`${SERVICE}/api/profile/`);
});

test.each([
	['another host', `${OTHER}/api/profile/`],
	['a host that begins alike', `${SERVICE}.evil.example/api/profile/`],
	['the host as a user name', `https://service.example@evil.example/`],
	['another port', `${SERVICE}:8443/api/profile/`],
	['plain http', 'http://service.example/api/profile/'],
	['a host without a scheme', '//evil.example/api/profile/'],
])('another node does not send it to %s', async (_, url) => {
	await expect(async () => await sentWith({}, { url })).rejects.toThrow(
		'The MediaGen API key is sent to the Base URL of its credential only',
	);
});
