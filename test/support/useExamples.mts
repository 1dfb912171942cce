import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';

import type {
	Credential,
	Execution,
	SavedWorkflow,
	Workflow,
	WorkflowNode,
} from '../../tools/lib/n8nClient.mts';
import { useSharedN8n } from './useRealN8n.mts';

/** What a test changes in an example, such as the wait between two polls, by name of the node. */
export type NodeChanges = Record<string, Partial<WorkflowNode> & { parameters?: object }>;

/** The project's n8n, with functions that import and run examples as a person does. */
export function useExamples(...options: Parameters<typeof useSharedN8n>) {
	const n8n = useSharedN8n(...options);

	/** Like that of the demo: it also has the paths that the document leaves open. */
	const credential = async (): Promise<Credential> =>
		await n8n.addCredential({
			baseUrl: n8n.sandbox.url,
			apiKey: n8n.sandbox.key,
			...n8n.sandbox.settings.openPaths,
		});

	/** Saves a credential of another service, for its nodes in imported examples. */
	const addCredential = async (type: string, data: object): Promise<void> => {
		others.push(await n8n.client.createCredential(type, `${type} ${randomUUID()}`, data));
	};
	const others: Credential[] = [];

	/**
	 * Imports an example, with the credentials of the sandbox and of other services.
	 *
	 * @param file in the folder of the examples
	 * @param changes `parameters` are merged into those of the node
	 */
	const importExample = async (file: string, changes: NodeChanges = {}): Promise<SavedWorkflow> => {
		const workflow: Workflow = JSON.parse(readFileSync(`examples/${file}`, 'utf8'));
		for (const [name, { parameters, ...change }] of Object.entries(changes)) {
			const node = workflow.nodes.find((each) => each.name === name);
			if (!node) throw new Error(`${file} has no node "${name}"`);
			Object.assign(node, change, { parameters: { ...node.parameters, ...parameters } });
		}
		return await n8n.client.importWorkflow(workflow, [await credential(), ...others]);
	};

	/** Imports an example and runs it as *Execute workflow* does, from the trigger of this name to the end. */
	const runExample = async (
		file: string,
		trigger: string,
		changes: NodeChanges = {},
	): Promise<Execution> => {
		const workflow = await importExample(file, changes);
		const id = await n8n.client.runManually(workflow, trigger);
		return await n8n.client.waitForExecution(id);
	};

	/** Retries a failed execution, as *Retry* in the list of executions does. */
	const retry = async ({ id }: Execution): Promise<Execution> =>
		await n8n.client.waitForExecution(await n8n.client.retryExecution(id));

	return { n8n, addCredential, importExample, runExample, retry };
}
