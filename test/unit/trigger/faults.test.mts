import { gaveUp } from '../../../nodes/shared/service/serviceError.ts';
import { FaultsInARow, faultsOfLists } from '../../../nodes/shared/trigger/faults.ts';
import { fault } from '../../support/fakeService.mts';
import { VirtualPolling } from '../../support/virtualPoll.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';
import { startJob } from './tell.mts';

const MINUTE_MS = 60_000;

/** Lists of a trigger that wants all media. */
const LISTS = 2;

const passing = fault('refused', 503);
const revoked = fault('refused', 401);
const missing = fault('refused', 404);

/** In which of so many polls a person hears of it, the first is 1. */
function shown(polls: number, faultsOf: (poll: number) => unknown[]): number[] {
	const faults = new FaultsInARow();
	return Array.from({ length: polls }, (_, index) => index + 1).filter(
		(poll) =>
			faults.toShow(faultsOfLists(faultsOf(poll), LISTS), {
				cause: 'time',
				now: poll * MINUTE_MS,
			}) !== undefined,
	);
}

describe('a person hears of', () => {
	it.each([
		['one that does not pass, at once and now and then', () => [revoked], [1, 31, 61]],
		['one that may pass, at the third in a row', () => [fault('unknown')], [3, 33, 63]],
		['no poll without a fault', () => [], []],
		['nothing where the turn did not come', () => [gaveUp()], []],
		['no list that the account does not have', () => [missing], []],
		['all lists that the account does not have', () => [missing, missing], [1, 31, 61]],
		[
			'the fault beside a list that it does not have',
			() => [missing, fault('unknown')],
			[3, 33, 63],
		],
		[
			'none that has passed by the third',
			(poll: number) => (poll % 3 ? [fault('unknown')] : []),
			[],
		],
		[
			'none that has passed by the third, where a list is missing',
			(poll: number) => (poll % 3 ? [missing, fault('unknown')] : [missing]),
			[],
		],
	])('%s', (_, faultsOf: (poll: number) => unknown[], expected: number[]) => {
		expect(shown(65, faultsOf)).toEqual(expected);
	});
});

test('n8n tries to register a trigger five times in seconds: each try tells the same', () => {
	const faults = new FaultsInARow();
	const isToldAt = (seconds: number) =>
		faults.toShow(faultsOfLists([revoked], LISTS), { cause: 'time', now: seconds * 1000 })
			?.error === revoked;
	expect([0, 1, 3, 7, 15].map(isToldAt)).toEqual([true, true, true, true, true]);
	expect(isToldAt(60)).toBe(false);
});

describe('a workflow is activated', () => {
	it.each([
		['with all lists', [], undefined],
		['without one that the account does not have', [missing], undefined],
		['not without any', [missing, missing], missing],
		['not while one cannot be read', [passing], passing],
		['not with a key that was revoked', [missing, revoked], revoked],
	])('%s', (_, faults, expected) => {
		const shown = new FaultsInARow().toShow(faultsOfLists(faults, LISTS), {
			cause: 'activation',
			now: 0,
		});
		expect(shown?.error).toBe(expected);
	});
});

test.each([
	['an edit is refused for what does not pass', 'edit', revoked, revoked],
	['an edit is not refused for what may pass', 'edit', fault('unknown'), undefined],
	['n8n does not give a trigger up at its start', 'start', revoked, undefined],
] as const)('%s', (_, cause, met, expected) => {
	const shown = new FaultsInARow().toShow(faultsOfLists([met], LISTS), { cause, now: 0 });
	expect(shown?.error).toBe(expected);
});

describe('an account without Video Studio', () => {
	const start = () => {
		const n8n = new VirtualN8n();
		const workflow = new VirtualPolling(n8n).add();
		const deny = (status: number, pathPattern: string) =>
			n8n.state.faults.add({ match: { pathPattern }, fault: { kind: 'status', status } });
		return { n8n, workflow, deny };
	};

	it('is watched by the generation history, and nobody is bothered', async () => {
		const { n8n, workflow, deny } = start();
		deny(404, 'video-studio/history');
		await n8n.clock.run(workflow.activate());
		const job = startJob(n8n.state, { made: 'image generate', fails: false, ms: 1000 });
		await n8n.clock.advance(40 * MINUTE_MS);
		expect(workflow.items.map(({ json }) => json.jobId)).toEqual([job.id]);
		expect(workflow.failures).toEqual([]);
	});

	it('hears of a key that was revoked, with its status', async () => {
		const { n8n, workflow, deny } = start();
		await n8n.clock.run(workflow.activate());
		deny(401, 'history');
		await n8n.clock.advance(2 * MINUTE_MS);
		expect(workflow.failures).toHaveLength(1);
		expect(workflow.failures[0]?.error).toMatchObject({ name: 'NodeApiError', httpCode: '401' });
	});

	it('hears of a list that cannot be read although the other has jobs', async () => {
		const { n8n, workflow, deny } = start();
		await n8n.clock.run(workflow.activate());
		deny(403, 'video-studio/history');
		for (let poll = 0; poll < 5; poll++) {
			startJob(n8n.state, { made: 'image generate', fails: false, ms: 1000 });
			await n8n.clock.advance(MINUTE_MS);
		}
		expect(workflow.items).toHaveLength(5);
		expect(workflow.failures).toEqual([]);
		await n8n.clock.advance(2 * MINUTE_MS);
		expect(workflow.failures).toHaveLength(1);
	});
});
