import type { IDataObject, INode, WorkflowExecuteMode } from 'n8n-workflow';

import { OPEN_PATHS } from '../../../sandbox/settings.mts';
import { VirtualN8n, type ExecutionOptions } from '../../support/virtualRun.mts';

/** A node that is told to wait durably, where that is impossible: it waits in process, and a hint says why. */

const DURABLE = { waitMode: 'durable' };

const notCalled = () => {
	throw new Error('It was not to be called');
};

/** What an n8n says that could wait durably, but lets nothing be started: there was no other reason. */
const CANNOT = 'Sub-workflows are not allowed here';
const throwing = (text: string) => () => {
	throw new Error(text);
};
const ABLE = {
	getWorkflow: () => ({ id: 'w', name: 'Batch', active: true }),
	executeWorkflow: throwing(CANNOT),
	putExecutionToWait: notCalled,
	onExecutionFinish: () => {},
};

/** What differs from that. */
interface Differing {
	mode?: WorkflowExecuteMode;
	engine?: object;
	options?: IDataObject;
}

async function ran({ mode, engine, options = DURABLE }: Differing, more: object = {}) {
	const n8n = new VirtualN8n({ settings: { jobMs: { min: 2000, max: 2000 } } }, OPEN_PATHS);
	const parameters = { resource: 'image', operation: 'generate', prompt: 'a kite', size: '1:1' };
	const own = { items: [{}, {}], parameters: { ...parameters, options }, ...more };
	const facts = { ...ABLE, ...engine } as ExecutionOptions['engine'];
	const ended = await n8n.run({ ...own, mode, engine: facts });
	const warnings = ended.hints.filter(({ type }) => type === 'warning');
	return { n8n, ...ended, warnings: warnings.map(({ message }) => message) };
}

async function expectInProcess(reason: string, differing: Differing): Promise<void> {
	const { n8n, items, warnings } = await ran(differing);
	expect(items.map(({ json }) => json.status)).toEqual(['completed', 'completed']);
	expect(n8n.state.account.charges).toHaveLength(2);
	expect(warnings[0]).toBe(`Waited in process, not durably: ${reason}.`);
}

const TOOL: Partial<INode> = { name: 'Images', type: 'n8n-nodes-mediagen.mediaGenImageTool' };
const TOO_OLD = 'This version of n8n would lose results; durable waiting needs n8n 2.33 or later';

test.each<[string, Differing, string]>([
	[
		"an agent's tool",
		{ engine: { getNode: () => ({ ...TOOL, typeVersion: 1, parameters: {} }) } },
		'An agent waits for its tools in process',
	],
	[
		'no workflow ID',
		{ engine: { getWorkflow: () => ({ active: false }) } },
		'The workflow is not saved',
	],
	[
		'the command line',
		{ mode: 'cli' },
		'A workflow run from the command line ends with its process',
	],
	[
		'Output by Status',
		{ options: { ...DURABLE, outputByStatus: true } },
		'Output by Status has three outputs, and an execution that was parked goes on by the first',
	],
	['no sub-workflows', {}, CANNOT],
	['an n8n before 2.33', { engine: { onExecutionFinish: undefined } }, TOO_OLD],
])('%s', async (_, differing, reason) => {
	await expectInProcess(reason, differing);
});

const NAME = 'My "trigger" }}';
const QUOTED = String.raw`$("My \"trigger\" \u007d\u007d")`;
const HAS_RUN = { [`{{ ${QUOTED}.isExecuted }}`]: true };
const WITH_ONE = `{{ ${QUOTED}.all().length === 1 }}`;

/** A node before the one that is to wait, and what n8n says to expressions about it. */
const after = (type: string, parameters: object, truths: Record<string, unknown> = HAS_RUN) => ({
	getParentNodes: () => [
		{ name: 'Set', type: 'n8n-nodes-base.set' },
		{ name: NAME, type, parameters },
	],
	evaluateExpression: (expression: string) =>
		expression === '{{ $runIndex }}' ? 0 : truths[expression],
});

const WEBHOOK = 'n8n-nodes-base.webhook';
const FORM = 'n8n-nodes-base.formTrigger';
const CHAT = '@n8n/n8n-nodes-langchain.chatTrigger';
const LAST_NODE = { responseMode: 'lastNode' };

test.each<[boolean, string, object]>([
	[true, WEBHOOK, LAST_NODE],
	[true, FORM, LAST_NODE],
	[true, CHAT, {}],
	[false, WEBHOOK, {}],
	[false, WEBHOOK, { responseMode: 'responseNode' }],
])('answers when the workflow has ended: %s, of %s with %j', async (isSo, type, parameters) => {
	const reason = isSo ? 'The trigger of the workflow answers when that has ended' : CANNOT;
	await expectInProcess(reason, { engine: after(type, parameters) });
	await expectInProcess(CANNOT, { engine: after(type, parameters), mode: 'retry' });
	// Another trigger has run.
	await expectInProcess(CANNOT, { engine: after(type, parameters, {}) });
});

test.each([true, false])('called with one item: %s', async (isSo) => {
	const type = 'n8n-nodes-base.executeWorkflowTrigger';
	const engine = after(type, {}, { ...HAS_RUN, [WITH_ONE]: isSo });
	const reason =
		'The workflow was called with one item; if it is called once for each of several, n8n takes the results of the first call for all';
	await expectInProcess(isSo ? reason : CANNOT, { engine, mode: 'integrated' });
});

test('a limit for the run is kept before anything is parked', async () => {
	const options = { ...DURABLE, maxCredits: 15 };
	const { n8n, error, hints } = await ran({ options, engine: { executeWorkflow: notCalled } });
	expect(error?.message).toContain('would cost 16 credits, more than Max Credits');
	expect([n8n.state.journal.entries, hints]).toEqual([[], []]);
});

test('files are sent with the request: they are not in the database', async () => {
	const cover = { resource: 'song', operation: 'upload_cover', prompt: 'a waltz' };
	const upload = 'https://files.example/song.mp3';
	const parameters = { ...cover, upload, options: DURABLE };
	const { warnings } = await ran({}, { kind: 'music', items: [{}], parameters });
	expect(warnings).toContain(
		'Waited in process, not durably: The items send files with their requests.',
	);
});
