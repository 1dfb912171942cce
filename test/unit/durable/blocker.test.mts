import type {
	IDataObject,
	IExecuteFunctions,
	NodeExecutionHint,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { durableBlocker } from '../../../nodes/shared/durable/startDurable.ts';
import type { ItemPlan } from '../../../nodes/shared/run/run.ts';
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

const broken = async () => {
	throw new Error('Sub-workflows are not allowed here');
};
const hidden = () => {
	throw new Error('Other nodes cannot be looked at');
};

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
	['Sub-workflows are not allowed here', { engine: { executeWorkflow: broken } as never }],
	['Other nodes cannot be looked at', { engine: { getParentNodes: hidden } }],
])('"%s": it waits in process, and says so', async (reason, differing) => {
	const run = runNode('image', contextWith(differing), clock);
	const [items = []] = await clock.run(run);
	expect(items.map(({ json }) => json.status)).toEqual(['completed', 'completed']);
	expect(network.state.account.charges).toHaveLength(2);
	expect(hints[0]).toEqual({
		message: `Waited in process, not durably: ${reason}.`,
		type: 'warning',
		location: 'outputPane',
	});
});

/**
 * What tells one n8n from another, of the methods that its n8n-core gives a node; read off the sources
 * of n8n-core 1.122.48, 2.0.2, 2.27.3, 2.32.2, 2.33.0, 2.35.5 and 2.40.3.
 */
describe('what a node sees of n8n', () => {
	const OLD = ['getExecutionDataById', 'executeWorkflow', 'putExecutionToWait'];
	const LATER = [...OLD, 'isToolExecution', 'executeAgent', 'listAgents', 'getRuntimeCredential'];
	const NOW = [...LATER, 'onExecutionFinish'];

	test.each<[string, string[], string | undefined]>([
		['1.123.81', OLD, TOO_OLD],
		['2.0.3', OLD, TOO_OLD],
		['2.27.4', LATER, TOO_OLD],
		['2.32.7', LATER, TOO_OLD],
		['2.33.0', NOW, undefined],
		['2.35.7', [...NOW, 'isConsoleOutputRedacted'], undefined],
		['2.40.7', [...NOW, 'isConsoleOutputRedacted'], undefined],
	])('in %s decides whether results would be lost there', (_version, methods, expected) => {
		const engine = Object.fromEntries(methods.map((name) => [name, NOT_CALLED]));
		const context = contextWith({ engine: { onExecutionFinish: undefined, ...engine } });
		expect(durableBlocker(context, [])).toBe(expected);
	});
});

test('files are sent with the request: they are not in the database', () => {
	const plan = (files?: object[]) => ({ request: { files }, options: {} }) as unknown as ItemPlan;
	const reason = 'The items send files with their requests';
	expect(durableBlocker(contextWith({}), [plan(), plan([{}])])).toBe(reason);
	expect(durableBlocker(contextWith({}), [plan()])).toBeUndefined();
});

test('of several outputs, n8n goes on by the first alone', () => {
	const plan = { request: {}, options: { outputByStatus: true } } as unknown as ItemPlan;
	expect(durableBlocker(contextWith({}), [plan])).toBe(
		'Output by Status has three outputs, and an execution that was parked goes on by the first',
	);
});

test('a limit for the run is kept before anything is parked', async () => {
	const run = runNode(
		'image',
		contextWith({ options: { waitMode: 'durable', maxCredits: 15 } }),
		clock,
	);
	// Not by a sub-workflow that cannot be called.
	await expect(clock.run(run)).rejects.toThrow('would cost 16 credits, more than Max Credits');
	expect(network.state.journal.entries).toEqual([]);
	expect(hints).toEqual([]);
});

describe('what has triggered the workflow', () => {
	const ENDED = 'The trigger of the workflow answers when that has ended';
	const WEBHOOK = 'n8n-nodes-base.webhook';
	const FORM = 'n8n-nodes-base.formTrigger';
	const CHAT = '@n8n/n8n-nodes-langchain.chatTrigger';

	function obstacleAfter(
		type: string,
		parameters: object,
		{ hasRun = true, mode = 'webhook' } = {},
	) {
		const asked: string[] = [];
		const engine = {
			getParentNodes: () => [
				{ name: 'Set', type: 'n8n-nodes-base.set' },
				{ name: 'My "trigger" }}', type, parameters },
			],
			evaluateExpression: (expression: string) => {
				asked.push(expression);
				return hasRun;
			},
		} as unknown as Partial<IExecuteFunctions>;
		const reason = durableBlocker(contextWith({ mode: mode as WorkflowExecuteMode, engine }), []);
		for (const expression of asked) {
			expect(expression).toBe(String.raw`{{ $("My \"trigger\" \u007d\u007d").isExecuted }}`);
		}
		return reason;
	}

	test.each<[string, object]>([
		[WEBHOOK, { responseMode: 'lastNode' }],
		[WEBHOOK, { responseMode: 'streaming', options: {} }],
		[FORM, { responseMode: 'lastNode' }],
		[CHAT, {}],
		[CHAT, { options: { responseMode: 'streaming' } }],
	])('%s %j answers with what there is when the execution parks', (type, parameters) => {
		expect(obstacleAfter(type, parameters)).toBe(ENDED);
		expect(obstacleAfter(type, parameters, { hasRun: false })).toBeUndefined();
		expect(obstacleAfter(type, parameters, { mode: 'retry' })).toBeUndefined();
	});

	test.each<[string, object]>([
		[WEBHOOK, {}],
		[WEBHOOK, { responseMode: 'onReceived' }],
		[WEBHOOK, { responseMode: 'responseNode' }],
		[FORM, {}],
		[CHAT, { options: { responseMode: 'responseNode' } }],
		['n8n-nodes-base.scheduleTrigger', { responseMode: 'lastNode' }],
	])('%s %j does not', (type, parameters) => {
		expect(obstacleAfter(type, parameters)).toBeUndefined();
	});
});

describe('called by another workflow', () => {
	const CALLED = 'n8n-nodes-base.executeWorkflowTrigger';
	const EXPRESSION = '{{ $("Start").isExecuted && $("Start").all().length === 1 }}';
	const reasonWhere = (type: string, truth: unknown) => {
		const engine = {
			getParentNodes: (_: string, options: object) => {
				expect(options).toEqual({ includeNodeParameters: true });
				return [{ name: 'Start', type }];
			},
			evaluateExpression: (expression: string) => expression === EXPRESSION && truth,
		} as unknown as Partial<IExecuteFunctions>;
		return durableBlocker(contextWith({ mode: 'integrated', engine }), []);
	};

	test('with one item: it may be called for others, too', () => {
		expect(reasonWhere(CALLED, true)).toBe(
			'The workflow was called with one item; if it is called once for each of several, n8n takes the results of the first call for all',
		);
	});

	test.each([
		['with several', CALLED, false],
		['and n8n does not say how many', CALLED, 'true'],
		['by something else', 'n8n-nodes-base.scheduleTrigger', true],
	])('%s: no', (_, type, truth) => {
		expect(reasonWhere(type, truth)).toBeUndefined();
	});
});
