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

/** The part of a definition that is about one operation. */
function partOf(definition: string, resource: string, operation: string): string {
	const parts = definition.split(/^export type /m);
	const chosen = [`resource: '${resource}';`, `operation: '${operation}';`];
	const found = parts.filter((part) => chosen.every((line) => part.includes(line)));
	expect(found).toHaveLength(1);
	return found[0]!;
}

/** What stands above each parameter of a name. */
const commentsOf = (definition: string, name: string) =>
	[...definition.matchAll(new RegExp(`/\\*\\*((?:(?!\\*/)[^])*)\\*/\\s+${name}\\?:`, 'g'))].map(
		([, comment]) => comment!,
	);

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

	test.each([
		['maxCredits', 'no limit'],
		['outputByStatus', 'one output'],
	])('options.%s is not taken for set: without it, %s', (name, effect) => {
		const comments = commentsOf(definition, name);
		expect(comments.length).toBeGreaterThan(0);
		for (const comment of comments) {
			expect(comment).toContain(`@builderHint Without it: ${effect}\n`);
		}
	});

	test('fields that are not added are not taken for sent', () => {
		for (const comment of commentsOf(definition, 'additionalFields')) {
			expect(comment).toContain('@builderHint Only what is added is sent.');
		}
	});

	test(`is not longer than it has to be`, () => {
		expect(Buffer.byteLength(found)).toBeLessThanOrEqual(mostFound);
		expect(Buffer.byteLength(definition)).toBeLessThanOrEqual(mostDefined);
	});
});

test.each<[Kind, string, string, string]>([
	['image', 'image', 'generate', '(8 credits)'],
	// 55 to 220 credits, 10 less where the prompt is published.
	['video', 'vidB26', 'textToVideo', '(45 to 220 credits)'],
	['video', 'videoStudio', 'generate', '(the price is not documented)'],
	['music', 'track', 'stems', '(10 to 50 credits)'],
	['music', 'track', 'midi', '(free)'],
])('%p: %s.%s has its price', (kind, resource, operation, price) => {
	expect(partOf(textOf(kind).definition, resource, operation)).toContain(price);
});

test('each price stands with what decides it', () => {
	const { definition } = textOf('video');
	expect(partOf(definition, 'vidA31', 'generate')).toContain(
		'Credits: 100 with model modelA_fast; 250 with model modelA; 200 more with enableFallback true.',
	);
	expect(partOf(definition, 'vidB26', 'textToVideo')).toContain(
		'Credits: 55 with duration 5, sound false; 110 with duration 10, sound false; 110 with duration 5, sound true; 220 with duration 10, sound true; 10 less with prompt_directory_optin true.',
	);
	expect(partOf(textOf('music').definition, 'track', 'stems')).toContain(
		'Credits: 10 with separation_type separate_vocal; 50 with separation_type split_stem; 20 with separation_type split_stem_advanced.',
	);
});

test('where the service does not document a path, its setting is named', () => {
	const { found, definition } = textOf('music');
	const needed = 'Needs in the credential: Path: Music Operation and Status Path: Music.';
	expect(found).toContain(needed);
	expect(definition.split(needed)).toHaveLength(2);
	const other = partOf(textOf('video').definition, 'vidE', 'textToVideo');
	expect(other).toContain('Needs in the credential: Path: Family E.');
});

test('MediaGen Account and the trigger cost nothing; nobody needs the trigger to wait', () => {
	expect(textOf('account').found).toContain('@builderHint Costs no credits.');
	const { found } = textOf('trigger');
	expect(found).toContain('@builderHint Costs no credits.');
	expect(found).toContain('Not needed to wait for a job that a MediaGen node');
});
