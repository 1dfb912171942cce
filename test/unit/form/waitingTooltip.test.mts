import { nodeType } from '../../support/product.mts';

/** What the editor says below "Waiting for input" of a node that is parked. */

/** As n8n's editor evaluates it. */
function shown(tooltip = '', $parameter: object): unknown {
	const [, code] = /^=\{\{ (.*) \}\}$/.exec(tooltip) ?? [];
	return new Function('$parameter', `return ${code}`)($parameter);
}

test.each(['image', 'video', 'music'] as const)('of %p', (kind) => {
	const { waitingNodeTooltip } = nodeType(kind).description;
	expect(shown(waitingNodeTooltip, { options: { waitMode: 'durable' } })).toBe(
		'The node waits for its media. You can close this page: n8n goes on by itself. If you stop the execution, its paid jobs go on: Job > Get Paid Jobs Back gets their results.',
	);
	expect(shown(waitingNodeTooltip, { durableRole: 'watcher' })).toBe(
		'This execution works for another one, and ends by itself.',
	);
});
