import type {
	IDataObject,
	IExecuteFunctions,
	NodeExecutionHint,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { VirtualClock } from '../../support/virtualClock.mts';
import { virtualContext } from '../../support/virtualContext.mts';
import { BASE_URL, VirtualNetwork } from '../../support/virtualNetwork.mts';
import { runNode } from '../../support/product.mts';

/** What differs from an n8n in which a run can wait durably. */
interface Differing {
	type?: string;
	mode?: WorkflowExecuteMode;
	executionId?: string;
	engine?: Partial<IExecuteFunctions>;
	options?: IDataObject;
}

const TOO_OLD = 'This version of n8n would lose results; durable waiting needs n8n 2.33 or later';

const NOT_CALLED = () => {
	throw new Error('It was not to be called');
};

const ENGINE = {
	getWorkflow: () => ({ id: 'w', name: 'Batch', active: true }),
	getExecutionDataById: async () => undefined,
	executeWorkflow: NOT_CALLED,
	putExecutionToWait: NOT_CALLED,
	onExecutionFinish: () => {},
} as unknown as Partial<IExecuteFunctions>;

const clock = new VirtualClock();
const network = new VirtualNetwork(clock, { settings: { jobMs: { min: 2000, max: 2000 } } });
const hints: NodeExecutionHint[] = [];

const DURABLE = { waitMode: 'durable' };

function contextWith(differing: Differing) {
	const { type, mode = 'trigger', executionId = '1', engine, options = DURABLE } = differing;
	return virtualContext({
		kind: 'image',
		network,
		credential: { baseUrl: BASE_URL, apiKey: network.state.settings.key },
		items: [{ json: {} }, { json: {} }],
		parameters: (itemIndex) => ({
			resource: 'image',
			operation: 'generate',
			prompt: `item ${itemIndex}`,
			size: '1:1',
			options,
		}),
		node: {
			id: '1',
			name: 'Images',
			type: type ?? 'n8n-nodes-mediagen.mediaGenImage',
			typeVersion: 1,
			position: [0, 0],
			parameters: {},
		},
		memory: {},
		executionId,
		mode,
		hints,
		messages: [],
		engine: { ...ENGINE, ...engine },
	});
}

beforeEach(() => {
	hints.length = 0;
	network.state.reset();
});

/** The first hint of a run of two items; both are made. */
async function hintOf(differing: Differing): Promise<string | undefined> {
	const run = runNode('image', contextWith(differing), clock);
	const [items = []] = await clock.run(run);
	expect(items.map(({ json }) => json.status)).toEqual(['completed', 'completed']);
	expect(network.state.account.charges).toHaveLength(2);
	return hints.find(({ type }) => type === 'warning')?.message;
}

/** Some n8n that could wait durably, in which nothing can be started: so the reasons before that are seen. */
const CANNOT = 'Sub-workflows are not allowed here';
const broken = async () => {
	throw new Error(CANNOT);
};
const hidden = () => {
	throw new Error('Other nodes cannot be looked at');
};
const ABLE = { executeWorkflow: broken } as unknown as Partial<IExecuteFunctions>;

const inProcess = (reason: string) => `Waited in process, not durably: ${reason}.`;

test.each<[string, Differing]>([
	['An agent waits for its tools in process', { type: 'n8n-nodes-mediagen.mediaGenImageTool' }],
	[
		'The workflow is not saved',
		{ engine: { getWorkflow: () => ({ id: undefined, active: false }) } as never },
	],
	['The workflow is not saved', { executionId: '' }],
	['A workflow run from the command line ends with its process', { mode: 'cli' }],
	['An evaluation waits for its workflow in process', { mode: 'evaluation' }],
	[TOO_OLD, { engine: { onExecutionFinish: undefined } }],
	[CANNOT, { engine: ABLE }],
	['Other nodes cannot be looked at', { engine: { getParentNodes: hidden } }],
])('"%s": it waits in process, and says so', async (reason, differing) => {
	expect(await hintOf(differing)).toBe(inProcess(reason));
});

/**
 * What tells one n8n from another, of the methods that its n8n-core gives a node; read off the sources
 * of n8n-core 1.122.48, 2.0.2, 2.27.3, 2.32.2, 2.33.0, 2.35.5 and 2.40.3.
 */
describe('what a node sees of n8n', () => {
	const OLD = ['getExecutionDataById', 'executeWorkflow', 'putExecutionToWait'];
	const LATER = [...OLD, 'isToolExecution', 'executeAgent', 'listAgents', 'getRuntimeCredential'];
	const NOW = [...LATER, 'onExecutionFinish'];

	test.each<[string, string[], string]>([
		['1.123.81', OLD, TOO_OLD],
		['2.0.3', OLD, TOO_OLD],
		['2.27.4', LATER, TOO_OLD],
		['2.32.7', LATER, TOO_OLD],
		['2.33.0', NOW, CANNOT],
		['2.35.7', [...NOW, 'isConsoleOutputRedacted'], CANNOT],
		['2.40.7', [...NOW, 'isConsoleOutputRedacted'], CANNOT],
	])('in %s decides whether results would be lost there', async (_version, methods, expected) => {
		const engine = Object.fromEntries(methods.map((name) => [name, NOT_CALLED]));
		const differing = { engine: { onExecutionFinish: undefined, ...engine, ...ABLE } };
		expect(await hintOf(differing)).toBe(inProcess(expected));
	});
});

test('a limit for the run is kept before anything is parked', async () => {
	const options = { waitMode: 'durable', maxCredits: 15 };
	const run = runNode('image', contextWith({ options }), clock);
	// Not by a sub-workflow that cannot be called.
	await expect(clock.run(run)).rejects.toThrow('would cost 16 credits, more than Max Credits');
	expect(network.state.journal.entries).toEqual([]);
	expect(hints).toEqual([]);
});

describe('what has triggered the workflow', () => {
	const ENDED = inProcess('The trigger of the workflow answers when that has ended');
	const WEBHOOK = 'n8n-nodes-base.webhook';
	const FORM = 'n8n-nodes-base.formTrigger';
	const CHAT = '@n8n/n8n-nodes-langchain.chatTrigger';

	async function hintAfter(
		type: string,
		parameters: object,
		{ hasRun = true, mode = 'webhook' as WorkflowExecuteMode } = {},
	) {
		const engine = {
			...ABLE,
			getParentNodes: () => [
				{ name: 'Set', type: 'n8n-nodes-base.set' },
				{ name: 'My "trigger" }}', type, parameters },
			],
			evaluateExpression: (expression: string) =>
				expression === '{{ $runIndex }}'
					? 0
					: expression === String.raw`{{ $("My \"trigger\" \u007d\u007d").isExecuted }}` && hasRun,
		} as unknown as Partial<IExecuteFunctions>;
		network.state.reset();
		hints.length = 0;
		return await hintOf({ mode, engine });
	}

	test.each<[string, object]>([
		[WEBHOOK, { responseMode: 'lastNode' }],
		[WEBHOOK, { responseMode: 'streaming', options: {} }],
		[FORM, { responseMode: 'lastNode' }],
		[CHAT, {}],
		[CHAT, { options: { responseMode: 'streaming' } }],
	])('%s %j answers with what there is when the execution parks', async (type, parameters) => {
		expect(await hintAfter(type, parameters)).toBe(ENDED);
		expect(await hintAfter(type, parameters, { hasRun: false })).toBe(inProcess(CANNOT));
		expect(await hintAfter(type, parameters, { mode: 'retry' })).toBe(inProcess(CANNOT));
	});

	test.each<[string, object]>([
		[WEBHOOK, {}],
		[WEBHOOK, { responseMode: 'onReceived' }],
		[WEBHOOK, { responseMode: 'responseNode' }],
		[FORM, {}],
		[CHAT, { options: { responseMode: 'responseNode' } }],
		['n8n-nodes-base.scheduleTrigger', { responseMode: 'lastNode' }],
	])('%s %j does not', async (type, parameters) => {
		expect(await hintAfter(type, parameters)).toBe(inProcess(CANNOT));
	});
});

describe('called by another workflow', () => {
	const CALLED = 'n8n-nodes-base.executeWorkflowTrigger';
	const EXPRESSION = '{{ $("Start").isExecuted && $("Start").all().length === 1 }}';
	const ONE = inProcess(
		'The workflow was called with one item; if it is called once for each of several, n8n takes the results of the first call for all',
	);

	test.each([
		['with one item: it may be called for others, too', CALLED, true, ONE],
		['with several: no', CALLED, false, inProcess(CANNOT)],
		['and n8n does not say how many: no', CALLED, 'true', inProcess(CANNOT)],
		['by something else: no', 'n8n-nodes-base.scheduleTrigger', true, inProcess(CANNOT)],
	])('%s', async (_, type, truth, expected) => {
		const engine = {
			...ABLE,
			getParentNodes: () => [{ name: 'Start', type }],
			evaluateExpression: (expression: string) =>
				expression === '{{ $runIndex }}' ? 0 : expression === EXPRESSION && truth,
		} as unknown as Partial<IExecuteFunctions>;
		expect(await hintOf({ mode: 'integrated', engine })).toBe(expected);
	});
});
