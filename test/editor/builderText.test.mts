import { builderText } from '../support/builderText.mts';
import { nodeType, type Kind } from '../support/product.mts';

/** What an AI that builds workflows reads of the nodes, as n8n's own code writes it. */

const folder = process.env.MEDIAGEN_N8N_FOLDER!;

const textOf = (kind: Kind) => builderText(folder, nodeType(kind).description);

const CREATING = [
	['Image', textOf('image'), 2000, 22_500],
	['Video', textOf('video'), 4600, 109_000],
	['Music', textOf('music'), 4600, 146_000],
] as const;

describe.each(CREATING)('MediaGen %s', (_, { found, definition }, mostFound, mostDefined) => {
	test('is found with what it costs, that it waits, and how many outputs it has', () => {
		for (const text of [found, definition]) {
			expect(text).toContain(
				"@builderHint Creating a job costs credits of the service's account. Each input item is one job.",
			);
			expect(text).toContain('Nothing limits what a run costs unless options.maxCredits is added');
			expect(text).toContain('fails and creates nothing where all items together could cost more');
			expect(text).toContain('0 is Completed, 1 is Failed and 2 is In Progress');
			expect(text).toContain('It gives out mediaUrl, status, jobId, creditsUsed');
			expect(text).toContain('waits for its jobs by itself');
			expect(text).toContain('takes lists of items, 5 at a time: no loop and no Wait node needed');
			expect(text).toContain('one output unless options.outputByStatus is true');
		}
	});

	test(`is not longer than it has to be`, () => {
		expect(Buffer.byteLength(found)).toBeLessThanOrEqual(mostFound);
		expect(Buffer.byteLength(definition)).toBeLessThanOrEqual(mostDefined);
	});
});

test('MediaGen Account and the trigger cost nothing; nobody needs the trigger to wait', () => {
	expect(textOf('account').found).toContain('@builderHint Costs no credits.');
	const { found } = textOf('trigger');
	expect(found).toContain('@builderHint Costs no credits.');
	expect(found).toContain('Not needed to wait for a job that a MediaGen node');
});
