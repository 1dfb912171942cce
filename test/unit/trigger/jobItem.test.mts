import { JOB_TRIGGER } from '../../../nodes/shared/spec/catalogs.ts';
import { asListed, jobItem } from '../../../nodes/shared/trigger/endedJob.ts';
import { flat } from '../../support/flat.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';

describe('an item', () => {
	it('is not the answer that triggers share: what one workflow changes, no other sees', async () => {
		const record = { id: 'a', status: 'completed', input: { tags: ['fox'] } };
		const [source] = JOB_TRIGGER.sources;
		const job = { id: 'a', otherIds: [], state: 'completed', record, source: source! };
		const service = { field: () => undefined, baseUrl: 'https://service.example' };
		const { json } = await jobItem(asListed(job, service), {
			options: { simplify: false, downloadMedia: false, resultField: '' },
		} as never);
		(json.input as { tags: string[] }).tags.push('changed');
		expect(record.input.tags).toEqual(['fox']);
	});

	it('whose file had no time left in its poll does not say that somebody stopped it', async () => {
		const record = { id: 'a', status: 'completed', image_url: 'https://cdn.example/1.png' };
		const [source] = JOB_TRIGGER.sources;
		const job = { id: 'a', otherIds: [], state: 'completed', record, source: source! };
		const { clock } = new VirtualN8n();
		const { json } = await jobItem(
			asListed(job, { field: () => undefined, baseUrl: 'https://service.example' }),
			{
				service: { baseUrl: 'https://service.example' },
				clock,
				signal: AbortSignal.abort(),
				options: {
					simplify: true,
					downloadMedia: true,
					resultField: '',
					binaryPropertyName: 'data',
				},
			} as never,
		);
		expect(flat(json).downloadErrors).toHaveLength(1);
		expect(JSON.stringify(json)).not.toContain('Stopped');
	});
});
