import { toldBy } from '../../support/toldBy.mts';
import {
	chargeIn,
	isNamed,
	isPaid,
	notStartedIn,
	textOf,
	toldIn,
	type Creation,
	type Told,
} from './facts.mts';
import type { Property } from './property.mts';

type Row = Pick<Creation, 'plan' | 'itemIndex'>;

const isOf = (row: Row) => (one: Row) => one.plan === row.plan && one.itemIndex === row.itemIndex;

/**
 * One paid job for a row; one more for each retry by a person, where the job before has failed, or its answer was
 * lost.
 */
export const paidOnce: Property = ({ workflows }, creations) => {
	const paid = creations.filter(isPaid);
	return paid.flatMap((creation, index) => {
		const before = paid.slice(0, index).findLast(isOf(creation));
		if (!before) return [];
		const { plan, itemIndex, run } = creation;
		const { executions } = workflows.find((one) => one.plan === plan)!;
		const { job, isLost } = before;
		const hasFailed = job.outcome === 'failed' && job.endsAt <= executions[run]!.startedAt;
		const isByPerson = run > before.run && (isLost || hasFailed);
		return isByPerson ? [] : [`"${plan.prompts[itemIndex]}" was paid for again in run ${run}`];
	});
};

/** After an answer that was lost, only a person sends a creation again, whether the first has had its effect or not. */
export const notOnDoubt: Property = (_, creations) =>
	creations.flatMap((creation, index) => {
		const { plan, itemIndex, run } = creation;
		const before = creations.slice(0, index).findLast(isOf(creation));
		return before?.isLost && before.run === run
			? [`"${plan.prompts[itemIndex]}" was sent again in doubt`]
			: [];
	});

/** What an execution says of a row. */
const toldOf = (told: readonly Told[], creation: Creation) =>
	told.find((one) => one.run === creation.run && isOf(creation)(one));

const isDoubted = (told: readonly Told[], creation: Creation) => {
	const said = toldOf(told, creation);
	return said !== undefined && chargeIn(said).doubt;
};

/** The identifier of a paid job is shown or kept; where its answer was lost, the person is told of the doubt. */
export const nothingLost: Property = (play, creations) => {
	const told = toldIn(play);
	return creations.filter(isPaid).flatMap((creation) => {
		const { job, itemIndex, execution, isLost } = creation;
		if (isNamed(textOf(execution), job)) return [];
		if (isLost && isDoubted(told, creation)) return [];
		return [`${isLost ? 'doubtful' : 'known'} job ${job.id} of item ${itemIndex} is lost`];
	});
};

/** An error that stops a workflow names all jobs of all its rows, and tells of new doubts. */
export const errorNamesAll: Property = (play, creations) => {
	const told = toldIn(play);
	return play.workflows.flatMap(({ plan, executions }) =>
		executions.flatMap(({ error }, run) => {
			if (!error) return [];
			const text = toldBy(error);
			const until = creations.filter((one) => one.plan === plan && one.run <= run);
			const unnamed = until
				.filter(isPaid)
				.filter(({ isLost, job }) => !isLost && !isNamed(text, job));
			const unsaid = until.filter(
				(one) =>
					one.run === run &&
					one.isLost &&
					!isDoubted(told, one) &&
					!(one.job && isNamed(text, one.job)),
			);
			return [
				...unnamed.map(({ job }) => `the error does not name job ${job.id}`),
				...unsaid.map(({ itemIndex }) => `no word of the doubt at item ${itemIndex}`),
			];
		}),
	);
};

/**
 * What is said of the money of a row is true: that nothing was charged, only if it was nothing in this execution; that
 * it was charged, or that there is doubt, only if there is a reason.
 */
export const trueWords: Property = (play, creations) =>
	toldIn(play).flatMap((told) => {
		const { itemIndex, run } = told;
		const own = creations.filter((one) => isOf(told)(one) && one.run <= run);
		const { no, yes } = chargeIn(told);
		const isDoubtful = told.charged === 'unknown';
		const row = `row ${itemIndex + 1} in run ${run}`;
		const isCharged = own.some((one) => (one.run === run || told.charged === 'no') && isPaid(one));
		return [
			...(no && isCharged ? [`${row} was charged: ${told.text}`] : []),
			...(yes && !own.some(isPaid) ? [`${row} was not charged: ${told.text}`] : []),
			...(isDoubtful && !own.some(({ isLost }) => isLost)
				? [`${row} is not in doubt: ${told.text}`]
				: []),
		];
	});

/** Of rows that are said not to have been started, there are so many that nothing can have been charged for. */
export const trueCounts: Property = ({ workflows }, creations) =>
	workflows.flatMap(({ plan, executions }) =>
		executions.flatMap(({ error }, run) => {
			const told = notStartedIn(error ? toldBy(error) : '');
			const until = creations.filter((one) => one.plan === plan && one.run <= run);
			const ordered = until.filter((one) => isPaid(one) || one.isLost);
			const without = plan.prompts.length - new Set(ordered.map((one) => one.itemIndex)).size;
			return told > without ? [`${told} "not started", but only ${without} are not`] : [];
		}),
	);
