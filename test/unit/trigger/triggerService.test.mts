import { VirtualClock } from '../../support/virtualClock.mts';
import type { ServiceRequest } from '../../../nodes/shared/service/request.ts';
import type { SendOptions, Service } from '../../../nodes/shared/service/service.ts';
import { loopOf } from '../../../nodes/shared/limits/accountLoop.ts';
import { JOB_TRIGGER } from '../../../nodes/shared/spec/catalogs.ts';
import { SharedReads, triggerService } from '../../../nodes/shared/trigger/triggerService.ts';

/** Which answers the triggers of an account share, and which requests go first. */

const HISTORY: ServiceRequest = { method: 'GET', path: '/api/v1/generate/history/', query: {} };

let priorities: unknown[];
let accounts = 0;
let isReadable: boolean;
let clock: VirtualClock;
let reads: SharedReads;
let service: Service;

beforeEach(() => {
	priorities = [];
	isReadable = true;
	clock = new VirtualClock();
	reads = new SharedReads(clock);
	const send = async (_: ServiceRequest, { priority }: SendOptions) => {
		const id = priorities.push(priority);
		return isReadable ? [{ id, status: 'completed' }] : 'none';
	};
	service = { account: `account ${++accounts}`, send } as unknown as Service;
});

/** Gives the number of the request that was sent. */
const read = async (isAwaited: boolean, sendsSpare = false) => {
	const { signal } = new AbortController();
	const shared = triggerService(service, JOB_TRIGGER, { clock, signal, isAwaited, reads });
	const answer = await (sendsSpare ? shared.sendSpare(HISTORY) : shared.send(HISTORY));
	return isReadable ? (answer as Array<{ id: number }>)[0]!.id : answer;
};

test('a poll reads what another trigger has read a moment ago', async () => {
	await read(false);
	await clock.advance(10_000);
	expect(await read(false)).toBe(1);
	await clock.advance(30_000);
	expect(await read(false)).toBe(2);
	expect(priorities).toEqual(['trigger', 'trigger']);
});

test('what a person waits for goes before polls while jobs run, and serves the next try', async () => {
	loopOf(service.account, clock).requests.hasJobsElsewhere = true;
	await read(true);
	await clock.advance(300_000);
	expect(await read(true)).toBe(1);
	expect(priorities).toEqual(['other']);
});

test.each([false, true])(
	'what can be left to another poll comes last, and may be half an hour old (awaited: %s)',
	async (isAwaited) => {
		await read(isAwaited, true);
		await clock.advance(29 * 60_000);
		expect(await read(isAwaited, true)).toBe(1);
		expect(await read(isAwaited)).toBe(2);
		await clock.advance(60_000);
		expect(await read(isAwaited, true)).toBe(3);
		expect(priorities).toEqual(['trigger', 'trigger', 'trigger']);
	},
);

test.each([false, true])(
	'an answer that cannot be read serves nobody else (awaited: %s)',
	async (isAwaited) => {
		isReadable = false;
		await read(isAwaited);
		isReadable = true;
		expect(await read(isAwaited)).toBe(2);
	},
);
