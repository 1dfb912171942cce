import { IMAGE } from '../../support/virtualImages.mts';
import { VirtualN8n, type ExecutionOptions } from '../../support/virtualRun.mts';

/** n8n's editor shows the description of an error as HTML, and so it does hints: no text of others is a link there. */

const LINK = '<a href="https://evil.example/login">Sign in again</a>';

const linksIn = (text: unknown) => [...String(text).matchAll(/<(a|img) /g)].length;

async function refused(more: Partial<ExecutionOptions>, said = LINK) {
	const n8n = new VirtualN8n();
	const body = { success: false, error: said };
	const match = { kind: 'create', bodyPattern: 'second' } as const;
	n8n.state.faults.add({ match, fault: { kind: 'status', status: 403, body } });
	return await n8n.run({ items: [{}], parameters: {}, ...more });
}

test('what the service has said, and the prompts of other rows: the only link is ours', async () => {
	const prompts = [LINK, `second ${LINK}`];
	const { error } = await refused({
		items: [{}, {}],
		parameters: (item) => ({ ...IMAGE, prompt: prompts[item] }),
	});
	expect(error?.message).toContain('row 2');
	expect(linksIn(error?.description)).toBe(1);
	expect(error?.description).toContain('evil.example');
});

test('nor is there one in a hint', async () => {
	const { hints } = await refused({
		parameters: { ...IMAGE, prompt: 'kite', options: { resultField: LINK } },
	});
	expect(hints.map(({ message }) => message).join()).toContain('Sign in again');
	for (const { message } of hints) expect(linksIn(message)).toBe(0);
});
