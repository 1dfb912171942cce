import fs from 'node:fs';
import path from 'node:path';

import { NodeHelpers, type INode } from 'n8n-workflow';

import { outputsOf, type SavedWorkflow, type Workflow } from '../../tools/lib/n8nClient.mts';
import { startOneOfEach } from '../support/triggerRuns.mts';
import { useSharedN8n } from '../support/useRealN8n.mts';

/** Workflows that people have saved with a released version: they do today what they did then. */

const n8n = useSharedN8n({ sandbox: { jobMs: { min: 0, max: 0 }, queuedMs: 0 } });

jest.setTimeout(180_000);

const RELEASED = 'test/released';

/** What a workflow has made of the service, and what its nodes have given out. */
interface Expected {
	/** Requests that change something: method, path, and at least these fields of the body. */
	sent: Array<[method: string, path: string, body: object]>;
	/** By the name of the node: at least these fields of its first item. */
	given: Record<string, object>;
}

const read = (...names: string[]) =>
	JSON.parse(fs.readFileSync(path.join(RELEASED, ...names), 'utf8'));

const saved = fs.readdirSync(RELEASED).flatMap((version) =>
	Object.entries(read(version, 'expected.json') as Record<string, Expected>).map(
		([file, expected]) => ({
			version,
			file,
			expected,
			workflow: read(version, file) as Workflow,
		}),
	),
);

const ownNodes = ({ nodes }: Pick<Workflow, 'nodes'>) =>
	nodes.filter(({ type }) => type.startsWith('n8n-nodes-mediagen.'));

test('all of them are tried', () => {
	const files = fs.readdirSync(RELEASED, { recursive: true, encoding: 'utf8' });
	const workflows = files.filter((file) => /\d.*\.json$/.test(file) && !/expected/.test(file));
	expect(workflows.sort()).toEqual(saved.map(({ version, file }) => `${version}/${file}`).sort());
	expect(saved.length).toBeGreaterThan(0);
});

test.each(saved)('$version, $file: the forms know all that was saved', async ({ workflow }) => {
	const own = ownNodes(workflow);
	const descriptions = await n8n.client.descriptionsOf(own);
	for (const [index, node] of own.entries()) {
		const description = descriptions[index]!;
		expect(description).toBeDefined();
		const known = NodeHelpers.getNodeParameters(
			description.properties,
			node.parameters as INode['parameters'],
			true,
			false,
			node as INode,
			description,
		);
		expect(known).toMatchObject(node.parameters!);
		const complete = { ...node, parameters: known } as INode;
		const issues = NodeHelpers.getNodeParametersIssues(
			description.properties,
			complete,
			description,
		);
		expect(issues).toBeNull();
	}
});

/** For the sandbox, with all that it does not need at once. */
async function completeCredential() {
	const { key: apiKey, url: baseUrl, settings } = n8n.sandbox;
	const { id: sessionToken, csrfToken } = settings.session;
	return await n8n.addCredential({
		baseUrl,
		apiKey,
		sessionToken,
		csrfToken,
		...settings.openPaths,
	});
}

const startOf = ({ nodes }: SavedWorkflow) => nodes[0]!.name;

test.each(saved)('$version, $file: it runs as it did', async ({ workflow, expected }) => {
	n8n.sandbox.account.credits.purchased = 10_000;
	// For what looks for a job in the history.
	await startOneOfEach(n8n);
	n8n.sandbox.journal.clear();
	const own = await n8n.client.importWorkflow(workflow, [await completeCredential()]);
	const id = await n8n.client.runManually(own, startOf(own));
	const execution = await n8n.client.waitForExecution(id);
	expect(execution.error).toBeUndefined();
	const given = ownNodes(workflow).map(({ name }) => {
		const items = outputsOf(execution, name).flat();
		return [name, items[0]?.json];
	});
	const sent = n8n.sandbox.journal.entries
		.filter(({ method }) => method !== 'GET')
		.map(({ method, path: to, body }) => [method, to, body]);
	expect(Object.fromEntries(given)).toMatchObject(expected.given);
	expect(sent).toMatchObject(expected.sent);
});
