import type { WorkflowNode } from './n8nClient.mts';

/** One of n8n's own nodes. */
export const n8nNode = (
	name: string,
	type: string,
	typeVersion: number,
	parameters: object = {},
): WorkflowNode => ({ name, type: `n8n-nodes-base.${type}`, typeVersion, parameters });

/** A node of this package; its kind is `Image`, for example. */
export const mediaGenNode = (
	kind: string,
	parameters: object,
	mediaGenApi = { id: '', name: '' },
): WorkflowNode => ({
	name: `MediaGen ${kind}`,
	type: `n8n-nodes-mediagen.mediaGen${kind}`,
	typeVersion: 1,
	parameters,
	credentials: { mediaGenApi },
});

/** A connection from one node to the next; from its first output when `output` is left out. */
export type Edge = [from: string, to: string, output?: number];

export function connectionsOf(edges: readonly Edge[]): object {
	const connections: Record<string, { main: object[][] }> = {};
	for (const [from, to, output = 0] of edges) {
		const { main } = (connections[from] ??= { main: [] });
		while (main.length <= output) main.push([]);
		main[output]?.push({ node: to, type: 'main', index: 0 });
	}
	return connections;
}
