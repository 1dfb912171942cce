import { IMAGE } from '../../support/virtualImages.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';

/** The key goes to the origin of the Base URL, and nowhere else; `engine/download` has what goes to media. */

test.each(['create', 'status', 'list'] as const)(
	'a redirect to another origin in place of an answer (%s) is not followed',
	async (kind) => {
		const n8n = new VirtualN8n();
		const headers = { location: 'https://cdn.example/stolen' };
		n8n.state.faults.add({ match: { kind }, fault: { kind: 'status', status: 302, headers } });
		await n8n.run({ items: [{}], parameters: { ...IMAGE, options: { timeout: 30 } } });
		expect(n8n.network.elsewhere).toEqual([]);
	},
);
