import { sampled } from '../support/sampled.mts';
import { useSharedN8n } from '../support/useRealN8n.mts';

/** Jobs whose status path is not documented, in a real n8n that knows the address and the key alone. */

const n8n = useSharedN8n({ sandbox: { jobMs: { min: 2000, max: 4000 } } });

jest.setTimeout(120_000);

beforeEach(() => {
	n8n.sandbox.account.credits.purchased = 10_000;
});

const FAMILIES = {
	imageUnified: {
		node: 'mediaGenImage',
		parameters: { resource: 'image', operation: 'generateUnified', aspectRatio: '1:1' },
	},
	vidB30: {
		node: 'mediaGenVideo',
		parameters: {
			resource: 'vidB30',
			operation: 'generate',
			generationMode: 'text_to_video',
			durationSeconds: 5,
			qualityMode: 'pro',
			aspectRatio: '16:9',
			sound: false,
		},
	},
	vidB26: {
		node: 'mediaGenVideo',
		parameters: { resource: 'vidB26', operation: 'textToVideo', duration: '5', aspectRatio: '1:1' },
	},
	vidC: {
		node: 'mediaGenVideo',
		parameters: {
			resource: 'vidC',
			operation: 'textToVideo',
			aspect_ratio: 'square',
			quality: 'high',
		},
	},
	vidD: {
		node: 'mediaGenVideo',
		parameters: {
			resource: 'vidD',
			operation: 'generate',
			aspect_ratio: '16:9',
			resolution: '480p',
			duration: '4',
		},
	},
	vidE26: {
		node: 'mediaGenVideo',
		parameters: { resource: 'vidE26', operation: 'textToVideo', duration: '5', resolution: '720p' },
	},
} as const;

const SERVED = {
	'the status of any generation': { served: 'general', urls: true, ownId: false },
	'only the history, with URLs': { served: 'history', urls: true, ownId: false },
	'only the history, and the record of the id that it has': {
		served: 'history',
		urls: false,
		ownId: true,
	},
	nothing: { served: 'none', urls: true, ownId: false },
} as const;

const IDENTIFIERS = ['generation_id', 'task_id', 'job_id', 'id'];

const cases = Object.entries(SERVED).flatMap(([where, served]) =>
	// An entry has one `id`: its own, or that of the creation.
	IDENTIFIERS.filter((idField) => !served.ownId || idField !== 'id').map(
		(idField) => [idField, where, served] as const,
	),
);

/** One of each place; all of them are in `unit/orders/statusLadder`. */
test.each(sampled(cases, 4))('%s, served by %s', async (idField, _, { served, urls, ownId }) => {
	const { shapes } = n8n.sandbox.settings;
	shapes.creation.idField = idField;
	shapes.served = served;
	Object.assign(shapes.list.entries, { urls, ownId });
	const branches = Object.entries(FAMILIES).map(([family, { node, parameters }]) => ({
		node,
		parameters: { ...parameters, prompt: `a kite of ${family}` },
	}));
	const runs = await n8n.runBranches(branches, 2);
	const ran = Object.keys(FAMILIES).map((family, index) => ({ family, ...runs[index]! }));
	const { jobs, journal } = n8n.sandbox;
	expect(jobs).toHaveLength(ran.length);
	expect(n8n.sandbox.account.charges).toHaveLength(ran.length);
	for (const { family, outputs, error } of ran) {
		expect(error).toBeUndefined();
		const job = jobs.find(({ body }) => body.prompt === `a kite of ${family}`);
		const json = outputs[0]?.[0]?.json;
		expect(json).toMatchObject(
			served === 'none'
				? { jobId: job?.id, mediaUrl: null, notWaited: expect.stringContaining('Status Path') }
				: { jobId: job?.id, status: 'completed', mediaUrl: expect.stringContaining(job!.id) },
		);
		const own = journal.entries.filter(({ path }) => path.includes(String(job?.id)));
		const inVain = own.filter(({ status }) => status !== 200).length;
		expect(inVain).toBeLessThanOrEqual(1);
	}
	// Each family looks into the two histories once at most; the others are looks for places.
	const lists = journal.entries.filter(({ query }) => Number(query.limit) === 100);
	if (served !== 'history') expect(lists.length).toBeLessThanOrEqual(ran.length);
});
