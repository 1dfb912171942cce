import type { IDataObject, IExecuteFunctions, INode } from 'n8n-workflow';

import { runRole } from '../../../nodes/shared/durable/role.ts';
import {
	continueAt,
	isRole,
	roleWorkflow,
	start,
	wakeStandby,
	type Role,
} from '../../../nodes/shared/durable/roleWorkflow.ts';
import { VirtualClock } from '../../support/virtualClock.mts';

/** The workflows of the executions that carry a durable run: their nodes, their ways, what n8n keeps. */

const NODE: INode = {
	id: 'own id',
	name: 'Images',
	type: 'n8n-nodes-mediagen.mediaGenImage',
	typeVersion: 1,
	position: [800, 300],
	parameters: { prompt: 'cat' },
	credentials: { mediaGenApi: { id: 'c', name: 'MediaGen' } },
};

const CALLER = { executionId: '12', workflowId: 'w' };

const NOW = Date.parse('2026-01-01T12:00:00.000Z');
const MINUTE = 60_000;

const made = (role: Role) => roleWorkflow(NODE, role, CALLER);

/** Where each output of each node leads. */
const waysIn = ({ connections }: ReturnType<typeof made>) =>
	Object.fromEntries(
		Object.entries(connections).map(([from, { main = [] }]) => [
			from,
			main.map((targets) => targets?.map(({ node, type, index }) => `${node} ${type} ${index}`)),
		]),
	);

const OWN = ['Images main 0'];

test.each<[Role, string, object]>([
	['work', 'worker', { Images: [OWN] }],
	['supervise', 'supervisor', { Images: [OWN] }],
	['output', 'results', {}],
	[
		'resume',
		'hand-over',
		{ Images: [['Images: over? main 0']], 'Images: over?': [['Images: results main 0'], OWN] },
	],
	['wake', 'wake-up', {}],
	['probe', 'probe', {}],
])('the role %s starts as "%s", and leads back as it has to', (role, words, ways) => {
	const workflow = made(role);
	const starts = `Images: ${words} for execution 12`;
	expect(workflow.name).toBe(`Images: ${role}`);
	expect(waysIn(workflow)).toEqual({ [starts]: [OWN], ...ways });
	expect(workflow.nodes.filter(({ name }) => name === 'Images')).toEqual([
		{
			...NODE,
			id: role,
			position: [200, 0],
			parameters: { prompt: 'cat', durableRole: role },
		},
	]);
	const types = workflow.nodes.map(({ type }) => type.replace('n8n-nodes-base.', ''));
	const exit = role === 'resume' ? ['if', 'noOp'] : [];
	expect(types).toEqual(['executeWorkflowTrigger', NODE.type, ...exit, 'stickyNote']);
	expect(workflow.nodes.at(-1)?.parameters.content).toContain(
		`## Works for [execution 12](/workflow/w/executions/12)\nThere, the node **Images** waits durably. This execution, the ${words}, `,
	);
	expect(new Set(workflow.nodes.map(({ id }) => id)).size).toBe(workflow.nodes.length);
});

test('what hands over leaves its round when the item is no order to go on', () => {
	const node = made('resume').nodes.find(({ type }) => type === 'n8n-nodes-base.if');
	expect(node?.parameters.conditions).toEqual({
		combinator: 'and',
		options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 1 },
		conditions: [
			{
				id: 'isResult',
				leftValue: '={{ $json.mediaGenAgain !== true }}',
				rightValue: '',
				operator: { type: 'boolean', operation: 'true', singleValue: true },
			},
		],
	});
});

test.each<[Role, string]>([
	['work', 'all'],
	['supervise', 'none'],
	['output', 'none'],
	['resume', 'none'],
	['wake', 'none'],
	['probe', 'none'],
])('in the role %s: n8n saves %s that succeed, and all rounds and errors', (role, saved) => {
	expect(made(role)).toMatchObject({
		active: false,
		settings: {
			saveExecutionProgress: true,
			saveDataErrorExecution: 'all',
			saveDataSuccessExecution: saved,
		},
	});
});

test('the roles by name', () => {
	const names = ['work', 'supervise', 'output', 'resume', 'wake', 'probe', '', 'WORK', undefined];
	expect(names.filter(isRole)).toEqual(names.slice(0, 6));
});

/** n8n as a node sees it, with what it was asked for. */
function n8nWith({ json = {}, waitTill }: { json?: IDataObject; waitTill?: string | null } = {}) {
	const asked: unknown[][] = [];
	const parked: Date[] = [];
	const context = {
		getNode: () => NODE,
		getInputData: () => [{ json }],
		getContext: () => ({}),
		getExecutionDataById: async () => (waitTill === undefined ? undefined : { waitTill }),
		executeWorkflow: async (...values: unknown[]) => {
			asked.push(values);
			return { executionId: '13' };
		},
		putExecutionToWait: async (till: Date) => void parked.push(till),
	};
	return { context: context as unknown as IExecuteFunctions, asked, parked };
}

test('an execution in a role is not waited for, and its end wakes nobody up', async () => {
	const { context, asked } = n8nWith();
	expect(await start(context, CALLER, 'work', [{ json: { a: 1 } }])).toBe('13');
	expect(asked).toEqual([
		[
			{ code: made('work') },
			[{ json: { a: 1 } }],
			undefined,
			{ doNotWaitToFinish: true, parentExecution: { ...CALLER, shouldResume: false } },
		],
	]);
});

const at = (ms: number) => new Date(ms).toISOString();

test('a standby that is parked is woken up', async () => {
	const { context, asked } = n8nWith({ waitTill: at(NOW + MINUTE + 1) });
	await wakeStandby(context, CALLER, '9', NOW);
	expect(asked).toEqual([
		[
			{ code: made('wake') },
			[{ json: { mediaGenAgain: true } }],
			undefined,
			{
				doNotWaitToFinish: true,
				parentExecution: { executionId: '9', workflowId: 'w', shouldResume: true },
			},
		],
	]);
});

test.each([
	['is due within a minute', at(NOW + MINUTE)],
	['is awake', null],
	['is gone', undefined],
])('but not one that %s', async (_, waitTill) => {
	const { context, asked } = n8nWith({ waitTill });
	await wakeStandby(context, CALLER, '9', NOW);
	expect(asked).toEqual([]);
});

test('what wakes another up parks once; 0 is at once', async () => {
	const round = [[{ json: { mediaGenAgain: true } }]];
	const waking = n8nWith();
	expect(await runRole(waking.context, 'wake', new VirtualClock(NOW))).toEqual(round);
	expect(waking.parked).toEqual([new Date(NOW)]);
	const going = n8nWith();
	expect(await continueAt(going.context, 0)).toEqual(round);
	expect(going.parked).toEqual([]);
});
