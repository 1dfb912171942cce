import { Readable } from 'node:stream';

import type { INodeProperties, IPollFunctions } from 'n8n-workflow';

import { MediaGenTrigger } from '../../../nodes/Trigger/MediaGenTrigger.node.ts';
import { triggerProperties } from '../../../nodes/shared/form/trigger.ts';
import { pollTrigger } from '../../../nodes/shared/trigger/pollTrigger.ts';
import { JOB_TRIGGER, type TriggerOperation } from '../../../nodes/shared/spec/catalogs.ts';
import { VirtualClock } from '../../support/virtualClock.mts';

const property = (form: INodeProperties[], name: string) =>
	form.find((candidate) => candidate.name === name);

const valuesOf = (found?: INodeProperties) =>
	found?.options?.map((option) => 'value' in option && option.value);

test('what the document has: states, media types, lists', () => {
	expect(JOB_TRIGGER.events.map(({ state }) => state)).toEqual(['completed', 'failed']);
	const lists = JOB_TRIGGER.sources.map(({ operation, route }) => [
		operation.method,
		operation.path,
		route.path,
	]);
	expect(lists).toEqual([
		['GET', '/api/v1/generate/history/', '/api/v1/generate/{generation_id}/'],
		['GET', '/api/v1/video-studio/history/', '/api/v1/video-studio/status/{job_id}/'],
	]);
});

describe('the form', () => {
	const { description } = new MediaGenTrigger();
	const form = description.properties;

	test('says which ends start the workflow, and of what', () => {
		expect(form.map(({ name }) => name)).toEqual([
			'events',
			'mediaType',
			'downloadMedia',
			'options',
		]);
		expect(valuesOf(property(form, 'events'))).toEqual(['completed', 'failed']);
		expect(property(form, 'events')?.default).toEqual(['completed']);
		expect(valuesOf(property(form, 'mediaType'))).toEqual(['all', 'image', 'video']);
	});

	test('n8n polls it, and nothing goes into it', () => {
		expect(description).toMatchObject({ polling: true, inputs: [], group: ['trigger'] });
	});
});

/** Made up: lists music, by names of its own. */
const SONGS: TriggerOperation = {
	...JOB_TRIGGER,
	sources: [
		...JOB_TRIGGER.sources,
		{
			operation: {
				...JOB_TRIGGER.sources[0]!.operation,
				path: '/songs/',
				paging: { limit: 'most', offset: 'from' },
			},
			route: {
				value: 'music',
				label: 'Music',
				path: '/songs/{id}/',
				route: { urlFields: {} },
				mediaTypes: ['audio'],
			},
			idFields: ['song'],
		},
	],
};

describe('a list that is one entry in the table', () => {
	test('has its media in the form', () => {
		expect(valuesOf(property(triggerProperties(SONGS), 'mediaType'))).toEqual([
			'all',
			'image',
			'video',
			'audio',
		]);
	});

	test('starts the workflow', async () => {
		const clock = new VirtualClock();
		const asked: unknown[] = [];
		let songs: object[] = [{ song: 'old', status: 'completed' }];
		const staticData = {};
		const context = {
			getMode: () => 'trigger',
			getActivationMode: () => 'activate',
			getWorkflow: () => ({ id: 'songs' }),
			getNode: () => ({ id: 'songs', name: 'MediaGen Trigger' }),
			getWorkflowStaticData: () => staticData,
			getNodeParameter: (name: string, fallback: unknown) =>
				({ events: ['completed'], mediaType: 'audio' })[name] ?? fallback,
			getCredentials: async () => ({ baseUrl: 'https://songs.example', apiKey: 'song key' }),
			logger: { warn: () => {}, debug: () => {} },
			helpers: {
				httpRequestWithAuthentication: async (
					_: string,
					{ url, qs }: { url: string; qs: object },
				) => {
					asked.push([url, qs]);
					const page = 'from' in qs ? [] : songs;
					return {
						statusCode: 200,
						headers: {},
						body: Readable.from([Buffer.from(JSON.stringify(page))]),
					};
				},
			},
		} as unknown as IPollFunctions;
		const poll = async () => {
			const polled = clock.run(pollTrigger(context, SONGS, clock));
			const items = await polled;
			await clock.run(clock.sleep(60_000));
			return items;
		};

		expect(await poll()).toBeNull();
		songs = [
			{ song: 'new', status: 'completed', audio_url: 'https://cdn.example/a.mp3' },
			...songs,
		];
		expect(await poll()).toMatchObject([
			[
				{
					json: {
						jobId: 'new',
						status: 'completed',
						mediaType: 'audio',
						mediaUrl: 'https://cdn.example/a.mp3',
						details: { startedWith: 'music' },
					},
				},
			],
		]);
		expect(await poll()).toBeNull();
		expect(asked[0]).toEqual(['https://songs.example/songs/', { most: 100 }]);
	});
});
