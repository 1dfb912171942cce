import type { IDataObject } from 'n8n-workflow';

import { VirtualN8n } from '../../support/virtualRun.mts';

/** The key goes to the origin of the Base URL, and nowhere else, whatever address the service or the user names. */

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
