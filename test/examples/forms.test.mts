import { fetched, PHOTO, photo, submitForm } from '../support/forms.mts';
import { jobOf } from '../support/imageBatch.mts';
import { useExamples } from '../support/useExamples.mts';

/** Examples with a person in front of a form. */

const { n8n, importExample } = useExamples({ sandbox: { jobMs: { min: 0, max: 0 } } });

jest.setTimeout(150_000);

const REASON = 'The sandbox was asked to fail this generation.';

const picture = (prompt: string) =>
	`${n8n.sandbox.url}/media/${jobOf(n8n.sandbox, prompt)?.id}.png`;

/** How a page shows the video that was made last. */
const lastVideo = () => `<source src="${n8n.sandbox.url}/media/${n8n.sandbox.jobs.at(-1)?.id}.mp4"`;

describe('photoToVideo', () => {
	const send = async (prompt: string) =>
		await submitForm(n8n, await importExample('photoToVideo.json'), 'Your photo', [
			photo(),
			prompt,
		]);

	test('the last page has a video of the photo', async () => {
		const pages = await send('The waves come in');
		expect(await pages.waitFor('Your video')).toContain(lastVideo());
		const [job] = n8n.sandbox.jobs;
		expect(job?.body).toMatchObject({ prompt: 'The waves come in', aspectRatio: 'Auto' });
		const [address = ''] = job?.body.imageUrls as string[];
		expect((await fetched(address)).bytes.equals(PHOTO)).toBe(true);
		await pages.submit([]);
	});

	test('or says why there is none', async () => {
		const pages = await send('The waves [fail]');
		expect(await pages.waitFor('There is no video')).toContain(REASON);
	});

	test('who may have paid without a video is told not to try again', async () => {
		n8n.sandbox.faults.add({ match: { kind: 'create' }, fault: { kind: 'reset' }, when: 'after' });
		const pages = await send('The waves come in');
		expect(await pages.waitFor('There is no video')).toContain('It may have been paid for');
		expect(n8n.sandbox.jobs).toHaveLength(1);
	});
});

describe('variationsAndChoice', () => {
	const STYLES = [
		'soft watercolours',
		'photograph in morning light',
		'paper collage',
		'poster in bold colours',
	];
	const askFor = async (idea: string) => {
		const workflow = await importExample('variationsAndChoice.json');
		return { workflow, pages: await submitForm(n8n, workflow, 'Ask for an idea', [idea]) };
	};

	test('the one that a person chooses becomes a video', async () => {
		const { pages } = await askFor('A kite');
		const page = await pages.waitFor('Which one?');
		for (const style of STYLES) {
			expect(page).toContain(`<img src="${picture(`A kite, ${style}`)}"`);
		}
		await pages.submit([undefined, JSON.stringify(['paper collage'])]);
		expect(await pages.waitFor('Your video')).toContain(lastVideo());
		const video = n8n.sandbox.jobs.at(-1);
		expect(video?.body).toMatchObject({ imageUrls: [picture('A kite, paper collage')] });
	});

	test('a picture that could not be made is left out', async () => {
		n8n.sandbox.settings.failPrompt = 'collage';
		const { pages } = await askFor('A kite');
		const page = await pages.waitFor('Which one?');
		expect(page).toContain('soft watercolours');
		expect(page).not.toContain('paper collage');
	});

	test('no picture at all: the last page says why', async () => {
		const { pages } = await askFor('A kite [fail]');
		expect(await pages.waitFor('There is no picture')).toContain(REASON);
		expect(n8n.sandbox.jobs).toHaveLength(4);
	});
});
