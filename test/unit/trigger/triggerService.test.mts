import { VirtualClock } from '../../support/virtualClock.mts';
import type { ServiceRequest } from '../../../nodes/shared/service/request.ts';
import type { Service } from '../../../nodes/shared/service/service.ts';
import { JOB_TRIGGER } from '../../../nodes/shared/spec/trigger.ts';
import { triggerService } from '../../../nodes/shared/trigger/triggerService.ts';

/** Which answers the triggers of an account share. */

const HISTORY: ServiceRequest = { method: 'GET', path: '/api/v1/generate/history/', query: {} };

let sent: number;
let clock: VirtualClock;
let accounts = 0;
let service: Service;

beforeEach(() => {
	sent = 0;
	clock = new VirtualClock();
	const send = async () => [{ id: String(++sent), status: 'completed' }];
	service = { account: `account ${++accounts}`, send } as unknown as Service;
});

const read = async (isBeginning: boolean) => {
	const { signal } = new AbortController();
	const shared = triggerService(service, JOB_TRIGGER, { clock, signal, isBeginning });
	return await shared.send(HISTORY);
};

test('a poll reads what another trigger has read a moment ago', async () => {
	await read(false);
	await clock.advance(10_000);
	expect(await read(false)).toEqual([{ id: '1', status: 'completed' }]);
	expect(sent).toBe(1);
});

test('the first poll after activation reads anew: what has ended by then is to count as seen', async () => {
	await read(false);
	await clock.advance(10_000);
	expect(await read(true)).toEqual([{ id: '2', status: 'completed' }]);
	// The others have the newer answer from then on.
	expect(await read(false)).toEqual([{ id: '2', status: 'completed' }]);
});
