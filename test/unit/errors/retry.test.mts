import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Fault } from '../../../sandbox/faults.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';
import { IMAGE } from './force.mts';

/** What is read is read again after a 429, where the first try cannot have done anything. */

const HISTORY = { resource: 'job', operation: 'history' };

const tooMany = (after?: string): Fault => ({
	...{ kind: 'status', status: 429 },
	...(after !== undefined && { headers: { 'retry-after': after } }),
});

/** The history is read while this fault comes so often. When it was asked for: s from the first. */
async function read(fault: Fault, times = 1) {
	const n8n = new VirtualN8n({ latencyMs: { min: 0, max: 0 } });
	n8n.state.faults.add({ fault, times });
	const start = n8n.clock.now();
	const { error } = await n8n.run({ items: [{}], parameters: HISTORY });
	const at = n8n.state.journal.entries.map((entry) => (entry.at - start) / 1000);
	const pauses = at.slice(1).map((time, index) => time - at[index]!);
	return { error, at, pauses };
}

/** A date is that of the service's clock, in whole seconds. */
test.each([
	['7', 7, 7],
	['Thu, 01 Jan 2026 00:00:30 GMT', 29, 31],
	// No pause that can be kept: that of a first 429 in a row, 3 to 6 s.
	...['0', '0.001', '-1', 'soon', '', undefined, 'Wed, 31 Dec 2025 00:00:00 GMT'].map(
		(after): [string | undefined, number, number] => [after, 3, 6],
	),
])('after a 429 with Retry-After %j, %d to %d s later', async (after, least, most) => {
	const { error, pauses } = await read(tooMany(after));
	expect(error).toBeUndefined();
	expect(pauses).toHaveLength(1);
	expect(pauses[0]).toBeGreaterThanOrEqual(least);
	expect(pauses[0]).toBeLessThanOrEqual(most);
});

test.each([[undefined], ['0']])(
	'with Retry-After %j for ever, for 2 minutes, and the pauses grow',
	async (after) => {
		const { error, at, pauses } = await read(tooMany(after), Infinity);
		expect(error?.message).toContain('has reached a limit');
		expect(at.at(-2)).toBeLessThan(120);
		expect(at.at(-1)).toBeGreaterThanOrEqual(120);
		// Between half and all of 6, 12, 24 and then 30 s.
		expect(pauses[0]).toBeLessThanOrEqual(6);
		for (const pause of pauses.slice(3)) expect(pause).toBeGreaterThanOrEqual(15);
	},
);

/** n8n before 2.36: what its helper throws tells nothing of what was thrown in it. */
test.each<[string, object]>([
	[' ', { error: 'The API key is empty', charged: 'no' }],
	['mg_key', { charged: 'unknown' }],
])('with the key %j, in an n8n that hides why a request failed', async (apiKey, told) => {
	const n8n = new VirtualN8n({}, { apiKey });
	const httpRequestWithAuthentication = async () => {
		throw new Error('An unknown error occurred');
	};
	const helpers = { httpRequestWithAuthentication } as unknown as IExecuteFunctions['helpers'];
	const node = { onError: 'continueRegularOutput' } as const;
	const parameters: IDataObject = IMAGE;
	const { items } = await n8n.run({ items: [{}], parameters, node, engine: { helpers } });
	expect(items[0]?.json).toMatchObject(told);
	expect(n8n.state.journal.entries).toEqual([]);
});
