import axios from 'axios';

import { catalogProperties } from '../../../nodes/shared/form/catalogProperties.ts';
import { priceOf } from '../../../nodes/shared/request/price.ts';
import { validate } from '../../../nodes/shared/request/validate.ts';
import { startSandbox, type Sandbox } from '../../../sandbox/server.mts';
import { MADE_UP_CATALOG, MADE_UP_OPERATION } from '../../support/madeUpFamily.mts';

/** One new table is all: form, validation, price and sandbox route follow from it. */
describe('a made-up model family', () => {
	const request = { prompt: 'a cat', mode: 'text', resolution: 'high', seconds: 6 };

	test('has its form', () => {
		const form = catalogProperties(MADE_UP_CATALOG);
		const property = (name: string) => form.find((candidate) => candidate.name === name);
		expect(property('seconds')).toMatchObject({
			displayName: 'Seconds',
			type: 'number',
			required: true,
			default: 3,
			typeOptions: { minValue: 3, maxValue: 15, numberPrecision: 0 },
			displayOptions: { show: { resource: ['madeUp'], operation: ['generate'] } },
		});
		expect(property('image_url')).toMatchObject({
			required: true,
			displayOptions: { show: { mode: ['image'] } },
		});
		expect(property('additionalFields')?.options?.map(({ name }) => name)).toEqual([
			'weight',
			'boost',
			'share',
			'frames',
			'style',
			'styleOther',
			'from_s',
			'to_s',
		]);
		expect(property('operation')?.options?.[0]).toMatchObject({
			description: 'Make a video that does not exist (2 to 5 credits per unit of seconds)',
		});
	});

	test('has its validation', () => {
		expect(validate(MADE_UP_OPERATION, request)).toEqual([]);
		expect(validate(MADE_UP_OPERATION, { ...request, seconds: 16 })).toEqual([
			{ field: 'seconds', message: 'Seconds (seconds) must be between 3 and 15, but is 16' },
		]);
	});

	test('has its price', () => {
		expect(priceOf(MADE_UP_OPERATION, request)).toEqual({ credits: 30, exact: true });
		expect(priceOf(MADE_UP_OPERATION, { ...request, share: true, boost: true })).toEqual({
			credits: 40,
			exact: true,
		});
	});

	describe('in the sandbox', () => {
		let sandbox: Sandbox;

		beforeAll(async () => {
			sandbox = await startSandbox({ catalogs: [MADE_UP_CATALOG], jobMs: { min: 0, max: 0 } });
		});

		afterAll(async () => {
			await sandbox.close();
		});

		const post = async (body: object) =>
			await axios.post(`${sandbox.url}/madeUp/api/generate/`, body, {
				headers: { Authorization: `Bearer ${sandbox.key}` },
				validateStatus: () => true,
			});

		test('has its route, charge and status', async () => {
			const created = await post(request);
			expect(created.status).toBe(201);
			expect(created.data.data).toMatchObject({ status: 'processing', credits_used: 30 });
			const status = await axios.get(
				`${sandbox.url}/api/v1/generate/${created.data.data.generation_id}/`,
				{ headers: { Authorization: `Bearer ${sandbox.key}` } },
			);
			expect(status.data).toMatchObject({ status: 'completed', generation_type: 'video' });
		});

		test('has its bounds', async () => {
			const refused = await post({ ...request, seconds: 16 });
			expect(refused.status).toBe(400);
			expect(Object.keys(refused.data.details)).toEqual(['seconds']);
		});
	});
});
