import type { IRunExecutionData } from 'n8n-workflow';

import {
	isStale,
	isStopped,
	checkSilence,
	memoryOf,
	RUN_HANDLE,
	handleIn,
	callerState,
	type Caller,
} from '../../../nodes/shared/durable/executions.ts';

const WAITER: Caller = {
	executionId: '1',
	workflowId: 'w',
	node: 'Images',
	runIndex: 0,
	runId: 'mine',
};

interface Stored {
	waitTill?: string;
	/** On top of the stack. */
	node?: string;
	runId?: string;
	error?: object;
	/** Runs of each node. */
	runs?: Record<string, number>;
}

function stored({ waitTill, node, runId, error, runs = {} }: Stored): IRunExecutionData {
	const runData = Object.entries(runs).map(([name, count]) => [name, Array(count).fill({})]);
	const data = {
		waitTill,
		resultData: { runData: Object.fromEntries(runData), ...(error && { error }) },
		executionData: {
			contextData: {
				'node:Images': runId ? { [RUN_HANDLE]: { runId, worker: '3', supervisor: '2' } } : {},
			},
			nodeExecutionStack: node ? [{ node: { name: node } }] : [],
		},
	};
	return JSON.parse(JSON.stringify(data)) as IRunExecutionData;
}

const FOREVER = '3000-01-01T00:00:00.000Z';

test.each<[string, Stored | undefined, string]>([
	['parked at the node', { waitTill: FOREVER, node: 'Images', runId: 'mine' }, 'here'],
	['deleted', undefined, 'gone'],
	['never parked, or saved since', { node: 'Images', runId: 'mine' }, 'gone'],
	[
		'stopped',
		{ waitTill: FOREVER, node: 'Images', runId: 'mine', error: { reason: 'manual' } },
		'gone',
	],
	['parked at another node', { waitTill: FOREVER, node: 'Wait', runId: 'mine' }, 'elsewhere'],
	['parked in another round', { waitTill: FOREVER, node: 'Images', runId: 'new' }, 'elsewhere'],
	['parked there by something else', { waitTill: FOREVER, node: 'Images' }, 'elsewhere'],
	['about to be parked', { waitTill: FOREVER, runId: 'mine' }, 'elsewhere'],
])('an execution that is %s', (_, data, expected) => {
	expect(callerState(data && stored(data), WAITER)).toBe(expected);
});

test('the run handle is that of the latest run', () => {
	const memory = memoryOf(stored({ runId: 'mine' }), 'Images');
	expect(handleIn(memory, WAITER)).toEqual({ runId: 'mine', worker: '3', supervisor: '2' });
	expect(handleIn(memory, { ...WAITER, runId: 'earlier' })).toBeUndefined();
	expect(memoryOf(stored({ runId: 'mine' }), 'Other')).toEqual({});
	expect(memoryOf(undefined, 'Images')).toEqual({});
});

test('only a person stops an execution', () => {
	expect(isStopped(stored({ error: { message: 'cancelled', reason: 'manual' } }))).toBe(true);
	expect(isStopped(stored({ error: { message: 'timed out', reason: 'timeout' } }))).toBe(false);
	expect(isStopped(stored({ error: { message: 'crashed' } }))).toBe(false);
	expect(isStopped(stored({}))).toBe(false);
});

describe('a look at an execution', () => {
	const NOW = Date.parse('2026-01-01T12:00:00.000Z');
	const at = (time: string, runs = 1) =>
		stored({ waitTill: `2026-01-01T${time}.000Z`, runs: { start: 1, Images: runs } });

	test('it is alive when it is parked, and for a minute after that', () => {
		expect(checkSilence(at('12:00:01'), NOW)).toBeUndefined();
		expect(checkSilence(at('11:59:01'), NOW)).toBeUndefined();
		expect(checkSilence(at('11:59:00'), NOW)).toEqual({
			fingerprint: `1+1/${NOW - 60_000}`,
			times: 1,
		});
	});

	test('it is dead when two looks see the same', () => {
		const first = checkSilence(at('11:50:00'), NOW);
		expect(isStale(first)).toBe(false);
		const second = checkSilence(at('11:50:00'), NOW + 66_000, first);
		expect(second).toMatchObject({ times: 2 });
		expect(isStale(second)).toBe(true);
		expect(isStale(second, 2)).toBe(false);
		expect(isStale(undefined)).toBe(false);
	});

	test('it has done something when it has run on, or parked anew', () => {
		const first = checkSilence(at('11:50:00'), NOW);
		expect(checkSilence(at('11:50:00', 2), NOW, first)).toMatchObject({ times: 1 });
		expect(checkSilence(at('11:51:00'), NOW, first)).toMatchObject({ times: 1 });
	});

	test('one that runs, and one that was deleted, is seen as often as it is looked at', () => {
		const running = checkSilence(stored({ runs: { start: 1 } }), NOW);
		expect(running).toEqual({ fingerprint: '1/0', times: 1 });
		expect(checkSilence(stored({ runs: { start: 1 } }), NOW, running)).toMatchObject({ times: 2 });
		expect(checkSilence(undefined, NOW, checkSilence(undefined, NOW))).toEqual({
			fingerprint: '/0',
			times: 2,
		});
	});
});
