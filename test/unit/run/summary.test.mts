import type { IDataObject } from 'n8n-workflow';

import { IMAGE } from '../../support/virtualImages.mts';
import { VirtualN8n, type ExecutionOptions } from '../../support/virtualRun.mts';

const UNWAITED = { waitForCompletion: false };

async function run(items: IDataObject[], more: Partial<ExecutionOptions> = {}) {
	const credits = { purchased: 1034, welcome: 0 };
	const n8n = new VirtualN8n({ settings: { credits, jobMs: { min: 4000, max: 4000 } } });
	const parameters = (i: number) => items[i]!;
	return await n8n.run({ items: items.map(() => ({})), parameters, ...more });
}

const images = (prompts: string, more: IDataObject = {}) =>
	prompts.split(',').map((prompt) => ({ ...IMAGE, prompt, ...more }));

const CONTINUE: Partial<ExecutionOptions> = { node: { onError: 'continueRegularOutput' } };

const PATIENCE = { options: { timeout: 1, outputByStatus: true } };

test.each<[string, IDataObject[], Partial<ExecutionOptions>, string[]]>([
	['8 images', images('a,b,c,d,e,f,g,h'), {}, ['8 completed, 64 credits, 970 left']],
	['two unwaited', images('a,b', UNWAITED), {}, ['2 processing, 16 credits, 1018 left']],
	['one that takes too long', images('a', PATIENCE), {}, ['1 processing, 8 credits, 1026 left']],
	[
		'failed ones, which are paid for',
		images('a,b [fail],'),
		CONTINUE,
		['1 completed, 2 failed, 16 credits, 1018 left'],
	],
	['no job', [{ resource: 'credits', operation: 'get' }], { kind: 'account' }, []],
])('%s', async (_, items, more, expected) => {
	const { hints } = await run(items, more);
	const told = hints.filter(({ type, location }) => type === 'info' && location === 'outputPane');
	expect(told.map(({ message }) => message)).toEqual(expected);
});
