import { runInEngine } from '../support/engine.mts';
import { useSandbox } from '../support/useSandbox.mts';

/**
 * The expression that an error has ready for a row whose job has failed: with it, the other rows ask for what they asked
 * for before. Otherwise a retry would pay for them again.
 */

const sandbox = useSandbox({ jobMs: { min: 0, max: 0 } });

const ROWS = ['a fox', 'a whale', 'a loaf'];
const CORRECTED = 'the new prompt';

/** What is sent for each row, and what the error says. */
async function run(prompt: string) {
	sandbox.reset();
	sandbox.settings.jobMs = { min: 0, max: 0 };
	const { error } = await runInEngine({
		items: ROWS.map((subject, index) => ({ subject, prompt: index === 1 ? '[fail]' : '' })),
		node: { type: 'n8n-nodes-mediagen.mediaGenImage' },
		parameters: { resource: 'image', operation: 'generate', size: '1:1', prompt },
		credential: { baseUrl: sandbox.url, apiKey: sandbox.key, headerForm: 'bearer' },
	});
	const sent = sandbox.jobs.map(({ body }) => (body as { prompt: string }).prompt);
	return { sent: sent.sort(), description: String(error?.description) };
}

test.each([
	['an expression', '={{ $json.subject + $json.prompt }}'],
	[
		'a text with expressions',
		'=A `watercolor` of {{ $json.subject }} \\ {{ $json.prompt }} for $5, "wide"\nby hand',
	],
	['a text', 'A kite\'s "tail" [fail]'],
])('of %s', async (_kind, prompt) => {
	const first = await run(prompt);
	const [, ready = ''] = /set Prompt to (\{\{.+\}\}), then open/s.exec(first.description) ?? [];
	const failed = prompt.startsWith('=') ? first.sent.find((one) => one.includes('[fail]')) : prompt;
	const others = first.sent.filter((_one, index) => index !== first.sent.indexOf(failed ?? ''));

	const second = await run(`=${ready}`);
	expect(second.sent).toEqual([...others, CORRECTED].sort());
});

test.each([
	['two blanks', '=A  {{ $json.subject }} {{ $json.prompt }}'],
	['a tag', '=A <b>{{ $json.subject }}</b> {{ $json.prompt }}'],
	['many words', `=${'very '.repeat(80)}blue {{ $json.subject }} {{ $json.prompt }}`],
])('none of a prompt with %s, which an error does not show as it is', async (_kind, prompt) => {
	const { description } = await run(prompt);
	expect(description).toContain(
		'make Prompt an expression that is another text for this row and the same as before for the others, then open',
	);
});
