import type { IPollFunctions } from 'n8n-workflow';

import { ServiceError } from '../../../nodes/shared/service/serviceError.ts';
import { faultToShow } from '../../../nodes/shared/trigger/faults.ts';
import { causeOf, Registration } from '../../../nodes/shared/trigger/registration.ts';

/** Which faults of polls a person hears of. */

const WRONG_KEY = new ServiceError({
	message: 'The API key is missing, invalid or revoked',
	description: '',
	outcome: 'refused',
	status: 401,
});

const DOWN = new ServiceError({
	message: 'Down',
	description: '',
	outcome: 'unknown',
	status: 503,
});

let registration: Registration;

beforeEach(() => {
	registration = new Registration();
});

/** Whether each of several polls tells of the fault; times are seconds. */
const told = (fault: ServiceError, times: readonly number[]) =>
	times.map((at) => faultToShow([fault], registration, at * 1000) === fault);

test('a service that is down: the third poll in a row tells', () => {
	expect(told(DOWN, [0, 60, 120, 180])).toEqual([false, false, true, false]);
});

test('one poll without a fault in between, and the count begins anew', () => {
	told(DOWN, [0, 60]);
	faultToShow([], registration, 120_000);
	expect(told(DOWN, [180, 240, 300])).toEqual([false, false, true]);
});

test('a wrong key: the first poll tells, then every thirtieth', () => {
	const minutes = Array.from({ length: 32 }, (_, index) => index * 60);
	const tells = told(WRONG_KEY, minutes).flatMap((isTold, index) => (isTold ? index + 1 : []));
	expect(tells).toEqual([1, 31]);
});

test('n8n tries to register a trigger five times in seconds: each try tells the same', () => {
	expect(told(WRONG_KEY, [0, 1, 3, 7, 15])).toEqual([true, true, true, true, true]);
	expect(told(WRONG_KEY, [60])).toEqual([false]);
});

test.each([
	['activate', 'activation'],
	['create', 'activation'],
	['init', 'start'],
	['leadershipChange', 'start'],
	['update', 'time'],
])('%s: the first poll is because of the %s, all others of the time', (mode, cause) => {
	const context = { getActivationMode: () => mode } as unknown as IPollFunctions;
	expect([causeOf(context), causeOf(context)]).toEqual([cause, 'time']);
});
