import type { INodeTypeDescription } from 'n8n-workflow';
import { createRequire } from 'node:module';
import path from 'node:path';

/** n8n's own code, which turns the description of a community node into text for an AI that builds workflows. */
const SYNTHESIZER = 'n8n/dist/modules/mcp-registry/synthesize-type-def.js';
const CATALOG = '@n8n/ai-utilities/node-catalog';

/** The prefix of the package's nodes in n8n. */
const PACKAGE = 'n8n-nodes-mediagen';

/**
 * What n8n lets an AI read of a node: n8n's MCP server (search_nodes, get_node_types) and its assistant take both texts
 * from the same functions. A running n8n adds to each resource an operation Custom API Call, which is missing here.
 */
export function builderText(folder: string, description: INodeTypeDescription) {
	const require = createRequire(path.join(folder, 'package.json'));
	const { synthesizeNodeTypeDef } = require(`./node_modules/${SYNTHESIZER}`);
	const { NodeTypeParser, formatNodeResult } = require(CATALOG);
	const named = { ...structuredClone(description), name: `${PACKAGE}.${description.name}` };
	return {
		/** What a search finds: the node, its resources and operations. */
		found: formatNodeResult(new NodeTypeParser([named]), named.name) as string,
		/** The parameters of all operations, as TypeScript. */
		definition: synthesizeNodeTypeDef(named) as string,
	};
}
