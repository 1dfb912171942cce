import type { INodeProperties } from 'n8n-workflow';

import { VirtualClock } from '../../support/virtualClock.mts';
import { virtualContext } from '../../support/virtualContext.mts';
import { BASE_URL, VirtualNetwork } from '../../support/virtualNetwork.mts';
import { isRole, ROLES } from '../../../nodes/shared/durable/roleWorkflow.ts';
import { nodeType, runNode, type Kind } from '../../support/product.mts';

const propertiesOf = (kind: Kind): INodeProperties[] => nodeType(kind).description.properties;

/** All that a person can choose from, at any depth. */
function choicesOf(properties: readonly object[]): unknown[] {
	return properties.flatMap((property) => {
		const {
			value,
			options = [],
			values = [],
		} = property as {
			value?: unknown;
			options?: object[];
			values?: object[];
		};
		return [value, ...choicesOf([...options, ...values])];
	});
}

test.each(['image', 'video', 'music'] as const)(
	'%p takes the role, and shows it to nobody',
	(kind) => {
		const properties = propertiesOf(kind);
		const own = properties.filter(({ name }) => name === 'durableRole');
		expect(own).toEqual([
			{ displayName: 'Durable Role', name: 'durableRole', type: 'hidden', default: '' },
		]);
		const choices = choicesOf(properties);
		expect(choices).toContain('durable');
		expect(choices.filter((choice) => choice === 'durableRole' || isRole(choice))).toEqual([]);
	},
);

test('a node that makes nothing has no role', () => {
	const names = propertiesOf('account').map(({ name }) => name);
	expect(names).not.toContain('durableRole');
});

test.each(['guard', ' work', 'WORK', 7, true, {}])(
	'the role %j is unknown: it is refused, and nothing is paid for',
	async (role) => {
		const clock = new VirtualClock();
		const network = new VirtualNetwork(clock);
		const context = virtualContext({
			kind: 'image',
			network,
			credential: { baseUrl: BASE_URL, apiKey: network.state.settings.key },
			items: [{ json: {} }],
			parameters: {
				resource: 'image',
				operation: 'generate',
				prompt: 'one',
				size: '1:1',
				durableRole: role,
			},
			node: {
				id: '1',
				name: 'Images',
				type: 'n8n-nodes-mediagen.mediaGenImage',
				typeVersion: 1,
				position: [0, 0],
				parameters: {},
			},
			memory: {},
			executionId: '1',
			mode: 'trigger',
			hints: [],
			messages: [],
		});
		const run = clock.run(runNode('image', context, clock));
		await expect(run).rejects.toThrow(`This version has no durable role ${JSON.stringify(role)}`);
		expect(network.state.account.charges).toEqual([]);
	},
);

test('only the roles are roles', () => {
	expect(ROLES).toEqual(['work', 'supervise', 'output', 'resume', 'wake', 'probe']);
	expect(['work', '', undefined, null, 'park'].map(isRole)).toEqual([
		true,
		false,
		false,
		false,
		false,
	]);
});
