import type {
	IDataObject,
	IExecuteFunctions,
	NodeExecutionHint,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { VirtualClock } from '../../support/virtualClock.mts';
import { virtualContext } from '../../support/virtualContext.mts';
import { BASE_URL, VirtualNetwork } from '../../support/virtualNetwork.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';
import { runNode } from '../../support/product.mts';
import { OPEN_PATHS } from '../../../sandbox/settings.mts';

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

/** What an n8n says that could wait durably, but lets nothing be started: there was no other reason. */
const CANNOT = 'Sub-workflows are not allowed here';
const broken = async () => {
	throw new Error(CANNOT);
};
const hidden = () => {
	throw new Error('Other nodes cannot be looked at');
};
const ABLE = { executeWorkflow: broken } as unknown as Partial<IExecuteFunctions>;

/** A node before the one that is to wait, and what n8n says to expressions about it. */
const after = (type: string, parameters: object, truths: Record<string, unknown> = {}) =>
	({
		...ABLE,
		getParentNodes: () => [
			{ name: 'Set', type: 'n8n-nodes-base.set' },
			{ name: NAME, type, parameters },
		],
		evaluateExpression: (expression: string) =>
			expression === '{{ $runIndex }}' ? 0 : truths[expression],
	}) as unknown as Partial<IExecuteFunctions>;

const NAME = 'My "trigger" }}';
const QUOTED = String.raw`$("My \"trigger\" \u007d\u007d")`;
const HAS_RUN = { [`{{ ${QUOTED}.isExecuted }}`]: true };
const WITH_ONE = `{{ ${QUOTED}.isExecuted && ${QUOTED}.all().length === 1 }}`;

const WEBHOOK = 'n8n-nodes-base.webhook';
const FORM = 'n8n-nodes-base.formTrigger';
const CHAT = '@n8n/n8n-nodes-langchain.chatTrigger';
const CALLED = 'n8n-nodes-base.executeWorkflowTrigger';
const SCHEDULE = 'n8n-nodes-base.scheduleTrigger';

const ANSWERS = 'The trigger of the workflow answers when that has ended';
const ONE_ITEM =
	'The workflow was called with one item; if it is called once for each of several, n8n takes the results of the first call for all';

/** Of n8n-core, the methods that it gives a node; read off its sources. */
const OLD = ['getExecutionDataById', 'executeWorkflow', 'putExecutionToWait'];
const LATER = [...OLD, 'isToolExecution', 'executeAgent', 'listAgents', 'getRuntimeCredential'];
const withMethods = (names: string[]) => ({
	onExecutionFinish: undefined,
	...Object.fromEntries(names.map((name) => [name, NOT_CALLED])),
	...ABLE,
});

test.each<[string, Differing, string]>([
	[
		"an agent's tool",
		{ type: 'n8n-nodes-mediagen.mediaGenImageTool' },
		'An agent waits for its tools in process',
	],
	[
		'no workflow ID',
		{ engine: { getWorkflow: () => ({ active: false }) } as never },
		'The workflow is not saved',
	],
	['no execution ID', { executionId: '' }, 'The workflow is not saved'],
	[
		'the command line',
		{ mode: 'cli' },
		'A workflow run from the command line ends with its process',
	],
	['an evaluation', { mode: 'evaluation' }, 'An evaluation waits for its workflow in process'],
	[
		'Output by Status',
		{ options: { ...DURABLE, outputByStatus: true } },
		'Output by Status has three outputs, and an execution that was parked goes on by the first',
	],
	['no sub-workflows', { engine: ABLE }, CANNOT],
	[
		'other nodes that are hidden',
		{ engine: { getParentNodes: hidden } },
		'Other nodes cannot be looked at',
	],
	['n8n 1.123.81 and 2.0.3', { engine: withMethods(OLD) }, TOO_OLD],
	['n8n 2.27.4 and 2.32.7', { engine: withMethods(LATER) }, TOO_OLD],
	['n8n 2.33.0', { engine: withMethods([...LATER, 'onExecutionFinish']) }, CANNOT],
	[
		'a webhook, last node',
		{ engine: after(WEBHOOK, { responseMode: 'lastNode' }, HAS_RUN) },
		ANSWERS,
	],
	[
		'a webhook, streaming',
		{ engine: after(WEBHOOK, { responseMode: 'streaming' }, HAS_RUN) },
		ANSWERS,
	],
	['a form, last node', { engine: after(FORM, { responseMode: 'lastNode' }, HAS_RUN) }, ANSWERS],
	['a chat as it is', { engine: after(CHAT, {}, HAS_RUN) }, ANSWERS],
	[
		'a chat, streaming',
		{ engine: after(CHAT, { options: { responseMode: 'streaming' } }, HAS_RUN) },
		ANSWERS,
	],
	['a webhook that has not run', { engine: after(WEBHOOK, { responseMode: 'lastNode' }) }, CANNOT],
	[
		'a webhook, retried',
		{ mode: 'retry', engine: after(WEBHOOK, { responseMode: 'lastNode' }, HAS_RUN) },
		CANNOT,
	],
	['a webhook as it is', { engine: after(WEBHOOK, {}, HAS_RUN) }, CANNOT],
	[
		'a webhook, by a node',
		{ engine: after(WEBHOOK, { responseMode: 'responseNode' }, HAS_RUN) },
		CANNOT,
	],
	['a form as it is', { engine: after(FORM, {}, HAS_RUN) }, CANNOT],
	[
		'a chat, by a node',
		{ engine: after(CHAT, { options: { responseMode: 'responseNode' } }, HAS_RUN) },
		CANNOT,
	],
	['a schedule', { engine: after(SCHEDULE, { responseMode: 'lastNode' }, HAS_RUN) }, CANNOT],
	[
		'called with one item',
		{ mode: 'integrated', engine: after(CALLED, {}, { [WITH_ONE]: true }) },
		ONE_ITEM,
	],
	[
		'called with several',
		{ mode: 'integrated', engine: after(CALLED, {}, { [WITH_ONE]: false }) },
		CANNOT,
	],
	[
		'called, n8n does not say with how many',
		{ mode: 'integrated', engine: after(CALLED, {}, { [WITH_ONE]: 'true' }) },
		CANNOT,
	],
])('%s: it waits in process, and a hint says why', async (_, differing, reason) => {
	expect(await hintOf(differing)).toBe(`Waited in process, not durably: ${reason}.`);
});

test('a limit for the run is kept before anything is parked', async () => {
	const options = { waitMode: 'durable', maxCredits: 15 };
	const run = runNode('image', contextWith({ options }), clock);
	// Not by a sub-workflow that cannot be called.
	await expect(clock.run(run)).rejects.toThrow('would cost 16 credits, more than Max Credits');
	expect(network.state.journal.entries).toEqual([]);
	expect(hints).toEqual([]);
});

test('files are sent with the request: they are not in the database', async () => {
	const n8n = new VirtualN8n({}, OPEN_PATHS);
	const executed = n8n.execute({
		kind: 'music',
		items: [{}],
		parameters: {
			resource: 'song',
			operation: 'upload_cover',
			upload: 'https://files.example/song.mp3',
			prompt: 'a waltz',
			options: DURABLE,
		},
		engine: { ...ENGINE, ...ABLE },
	});
	const { hints: shown } = await n8n.clock.run(executed);
	expect(shown.map(({ message }) => message)).toContain(
		'Waited in process, not durably: The items send files with their requests.',
	);
});
