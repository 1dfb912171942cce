import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { readArguments } from './lib/arguments.mts';
import { startDemo } from './lib/demo.mts';
import { NODES, TRIGGER_NODE, type DocumentedNode } from './lib/docs/nodeTable.mts';
import { Editor } from './lib/editor.mts';
import type { WorkflowNode, Credential } from './lib/n8nClient.mts';
import { THEMES } from './lib/pictureFiles.mts';
import { mediaGenNode } from './lib/workflowNodes.mts';

const USAGE = `npm run panels [-- <folder>]

Photographs in a real n8n what a person sees of every node: the panel of each operation and of the
trigger, the list of actions, the canvas, and the credential, each in light and dark. If no folder is named, it
makes one and prints its path.`;

/** Wide enough for names to be legible on the canvas of the node with the most operations. */
const WINDOW = { width: 1800, height: 1100 };

/** How many nodes are side by side on the canvas, and the CSS pixels from one to the next. */
const COLUMNS = 7;
const STEP = { x: 260, y: 200 };

export default async function main() {
	const given = readArguments(USAGE, {});
	if (!given) return;
	const [folder = await fs.mkdtemp(path.join(os.tmpdir(), 'mediagen-panels-'))] = given.positionals;
	const demo = await startDemo();
	const editor = await Editor.open(demo.server.url, demo.login, { window: WINDOW, scale: 1 });
	await fs.mkdir(folder, { recursive: true });

	/** Takes a picture in each theme. */
	const photograph = async (name: string, takePicture: (file: string) => Promise<void>) => {
		for (const theme of THEMES) {
			await editor.setTheme(theme);
			await takePicture(path.join(folder, `${name}.${theme}.png`));
		}
	};

	const photographNodes = async (kind: string, nodes: WorkflowNode[]) => {
		await editor.openNodes(nodes);
		await editor.showAllNodes();
		await photograph(`${kind}.canvas`, (file) => editor.takePicture(file));
		for (const { name } of nodes) {
			const panel = await editor.openPanel(name);
			await photograph(name, (file) => panel.takePicture(file));
			await panel.close();
		}
	};

	for (const node of NODES) {
		const nodes = nodesOf(node, demo.credential);
		await photographNodes(kindOf(node), nodes);
		await editor.openActions(node.label);
		await photograph(`${kindOf(node)}.actions`, (file) => editor.takePictureOfList(file));
		console.log(`  ${node.label}: ${nodes.length} operations`);
	}
	await photographNodes('Trigger', triggersOf(demo.credential));
	await editor.openEmptyWorkflow();
	// In the list of triggers, n8n leaves "Trigger" out of the name.
	await editor.openActions('MediaGen');
	await photograph('Trigger.actions', (file) => editor.takePictureOfList(file));
	console.log(`  ${TRIGGER_NODE.label}`);
	const credential = await editor.openCredential(demo.credential);
	await photograph('credential', (file) => credential.takePicture(file));
	console.log(`The pictures are in ${folder}.`);
}

/** The last part of a node's name. */
const kindOf = ({ label }: DocumentedNode) => label.replace('MediaGen ', '');

/** A node for each operation, with nothing else set. */
function nodesOf(node: DocumentedNode, { id, name }: Credential): WorkflowNode[] {
	return node.catalog.operations.map(({ resource, operation }, index) => ({
		...mediaGenNode(kindOf(node), { resource, operation }, { id, name }),
		name: `${kindOf(node)}.${resource}.${operation}`,
		position: [(index % COLUMNS) * STEP.x, (Math.floor(index / COLUMNS) + 1) * STEP.y],
	}));
}

/** The trigger with its defaults, and with everything set. */
function triggersOf({ id, name }: Credential): WorkflowNode[] {
	const options = {
		binaryPropertyName: 'data',
		jobIds: '',
		resultField: '',
		simplify: true,
	};
	const everything = { events: ['completed', 'failed'], mediaType: 'video', downloadMedia: true };
	return [
		{ name: 'Trigger', parameters: {} },
		{ name: 'Trigger.everything', parameters: { ...everything, options } },
	].map(({ parameters, ...node }, index) => ({
		...mediaGenNode('Trigger', parameters, { id, name }),
		...node,
		position: [index * STEP.x, STEP.y],
	}));
}
