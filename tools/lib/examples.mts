import fs from 'node:fs';

import type { Workflow, WorkflowNode } from './n8nClient.mts';
import { connectionsOf, mediaGenNode, n8nNode } from './workflowNodes.mts';

/** The workflows for users to import, in the order in which they are shown: what a person should try first comes first. */
export const ORDER = [
	'scheduledBatch',
	'variationsAndChoice',
	'photoToVideo',
	'songToVideo',
	'agentAsksFirst',
	'overnightBatch',
	'sheetWithStatus',
	'approveInSlack',
	'resultsInATable',
	'calledWorkflow',
];

const at = (x: number, y: number, node: WorkflowNode): WorkflowNode => ({
	...node,
	id: `f0000000-0000-4000-8000-${String(Math.abs(x)).padStart(12, '0')}`,
	position: [x, y],
});

/** What the demo opens: a prompt becomes a picture. It comes before the examples, and is none of them. */
export const FIRST: Workflow = {
	name: 'Make a picture from a prompt',
	nodes: [
		at(
			-60,
			-270,
			n8nNode('What this does', 'stickyNote', 1, {
				content:
					'## Make a picture from a prompt\nMakes a picture from your description.\n\n**Try it:** open **MediaGen Image**, write your own *Prompt*, press *Execute step*, and then press *View* in the output.\n\n**You get** one item with the picture as a file, its address in `mediaUrl`, and the credits that it cost. Without *Download File*, you get only the address.',
				width: 610,
				height: 460,
			}),
		),
		at(70, 0, n8nNode('Start', 'manualTrigger', 1)),
		at(
			320,
			0,
			mediaGenNode('Image', {
				resource: 'image',
				operation: 'generate',
				prompt: 'A lighthouse at dusk, seen from the sea, in soft watercolours',
				size: '1:1',
				waitForCompletion: true,
				downloadMedia: true,
				options: {},
			}),
		),
	],
	connections: connectionsOf([['Start', 'MediaGen Image']]),
	settings: { executionOrder: 'v1' },
};

export const readExamples = () =>
	ORDER.map((name) => {
		const workflow: Workflow = JSON.parse(fs.readFileSync(`examples/${name}.json`, 'utf8'));
		return { name, workflow };
	});
