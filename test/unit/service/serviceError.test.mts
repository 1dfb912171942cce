import {
	isNotSent,
	isRefusal,
	isTooMany,
	isUnreachable,
	ServiceError,
	type Outcome,
} from '../../../nodes/shared/service/serviceError.ts';

const errorOf = (outcome: Outcome, status?: number) =>
	new ServiceError({ message: 'm', description: 'd', outcome, status });

const seen = (error: unknown) =>
	Object.entries({ isNotSent, isRefusal, isTooMany, isUnreachable })
		.filter(([, is]) => is(error))
		.map(([name]) => name);

test.each<[Outcome, number | undefined, string[]]>([
	['notSent', undefined, ['isNotSent']],
	['unreachable', undefined, ['isUnreachable']],
	['refused', 400, ['isRefusal']],
	['refused', 429, ['isTooMany']],
	['unknown', 500, []],
])('%s with status %p', (outcome, status, names) => {
	expect(seen(errorOf(outcome, status))).toEqual(names);
});

test('other errors are none of them', () => {
	expect(seen(Object.assign(new Error(), { outcome: 'notSent', status: 429 }))).toEqual([]);
	expect(seen(undefined)).toEqual([]);
});

test('more to say leaves the rest as it is', () => {
	const error = errorOf('refused', 400).with({ description: 'more' });
	expect(error).toMatchObject({
		message: 'm',
		description: 'more',
		outcome: 'refused',
		status: 400,
	});
});
