import { createRequire } from 'node:module';
import path from 'node:path';

import { nodeType, type Kind } from '../support/product.mts';

/** What an AI that builds workflows reads of the nodes, as n8n's own code writes it. */

const folder = process.env.MEDIAGEN_N8N_FOLDER!;
const fromN8n = createRequire(path.join(folder, 'package.json'));

/** What n8n's MCP server and its assistant let an AI find, and read as TypeScript. */
function textOf(kind: Kind): { found: string; definition: string } {
	const { synthesizeNodeTypeDef } = fromN8n(
		'./node_modules/n8n/dist/modules/mcp-registry/synthesize-type-def.js',
	);
	const { NodeTypeParser, formatNodeResult } = fromN8n('@n8n/ai-utilities/node-catalog');
	const { description } = nodeType(kind);
	const named = { ...structuredClone(description), name: `n8n-nodes-mediagen.${description.name}` };
	return {
		found: formatNodeResult(new NodeTypeParser([named]), named.name),
		definition: synthesizeNodeTypeDef(named),
	};
}

test.each([
	['image', 2000, 22_500],
	['video', 4600, 109_000],
	['music', 4600, 146_000],
] as const)(
	'%s is found with what it costs and that it waits, in few words',
	(kind, most, mostDefined) => {
		const { found, definition } = textOf(kind);
		for (const text of [found, definition]) {
			expect(text).toContain(
				"@builderHint Creating a job costs credits of the service's account. Each input item is one job.",
			);
			expect(text).toContain('Nothing limits what a run costs unless options.maxCredits is added');
			expect(text).toContain('0 is Completed, 1 is Failed and 2 is In Progress');
			expect(text).toContain('takes lists of items, 5 at a time: no loop and no Wait node needed');
		}
		expect(Buffer.byteLength(found)).toBeLessThanOrEqual(most);
		expect(Buffer.byteLength(definition)).toBeLessThanOrEqual(mostDefined);
	},
);

test('MediaGen Account and the trigger cost nothing; nobody needs the trigger to wait', () => {
	expect(textOf('account').found).toContain('@builderHint Costs no credits.');
	const { found } = textOf('trigger');
	expect(found).toContain('@builderHint Costs no credits.');
	expect(found).toContain('Not needed to wait for a job that a MediaGen node');
});
