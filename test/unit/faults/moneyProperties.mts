import { entryOf, errorText, textOf, withoutUrls } from './facts.mts';
import type { Property } from './property.mts';

/** One paid job per item; one more where a person ran a failed or doubtful one again. */
export const paidOnce: Property = ({ workflows }, creations) =>
	workflows.flatMap(({ plan, executions }) =>
		plan.prompts.flatMap((prompt, itemIndex) => {
			const again = executions.slice(1).filter(({ handedOver }) => {
				const { unknownOutcome, ended } = entryOf(handedOver, itemIndex) ?? {};
				return unknownOutcome !== undefined || ended === 'failed';
			});
			const paid = creations.filter(
				(one) => one.plan === plan && one.itemIndex === itemIndex,
			).length;
			const allowed = 1 + again.length;
			return paid > allowed ? [`"${prompt}" was paid ${paid} times, not ${allowed}`] : [];
		}),
	);

/** The identifier of a paid job is shown or kept; where its answer was lost, the item is in doubt. */
export const nothingLost: Property = (_, creations) =>
	creations.flatMap(({ job, itemIndex, played: { execution }, isLost }) => {
		const isKnown = withoutUrls(textOf(execution)).includes(job.id);
		const entry = entryOf(JSON.stringify(execution.memory), itemIndex);
		if (isKnown || (isLost && entry?.unknownOutcome !== undefined)) return [];
		return [`${isLost ? 'doubtful' : 'known'} job ${job.id} of item ${itemIndex} is lost`];
	});

/** An error that stops a workflow names the jobs of all its items, and tells of new doubts. */
export const errorNamesAll: Property = ({ workflows }) =>
	workflows.flatMap(({ plan, executions }) =>
		executions.flatMap(({ execution: { id, error, memory } }) => {
			if (!error) return [];
			const text = withoutUrls(errorText(error));
			const json = JSON.stringify(memory);
			return plan.prompts.flatMap((_, itemIndex) => {
				const { job, unknownOutcome, executionId } = entryOf(json, itemIndex) ?? {};
				if (job && !text.includes(job.id)) return [`the error does not name job ${job.id}`];
				const isNew = unknownOutcome !== undefined && executionId === id;
				return isNew && !text.includes(unknownOutcome)
					? [`no word of the doubt at item ${itemIndex}`]
					: [];
			});
		}),
	);

const NOT_CHARGED = /Not started and not charged: (\d+) more/;

/** What is said not to have been charged has neither a job nor a doubt. */
export const trueWords: Property = ({ workflows }) =>
	workflows.flatMap(({ plan, executions }) =>
		executions.flatMap(({ execution: { error, memory } }) => {
			const told = Number(NOT_CHARGED.exec(error ? errorText(error) : '')?.[1] ?? 0);
			const json = JSON.stringify(memory);
			const without = plan.prompts.filter((_, itemIndex) => !entryOf(json, itemIndex)).length;
			return told > without ? [`${told} "not charged", but only ${without} are not`] : [];
		}),
	);
