import { inspect } from 'node:util';
import type { IDataObject } from 'n8n-workflow';

import type { FaultRuleInput } from '../../../sandbox/faults.mts';
import { LIMITS } from '../../document.mts';
import { mostAtOnce } from '../../support/mostAtOnce.mts';
import { toldBy } from '../../support/toldBy.mts';
import {
	chargeIn,
	creationsOf,
	isNamed,
	isPaid,
	isStopped,
	notStartedIn,
	textOf,
	toldIn,
	type Creation,
	type Told,
} from './facts.mts';
import { itemOf, type Play } from './play.mts';
import type { Scenario, WorkflowPlan } from './scenario.mts';

/** Holds in every play; gives what it finds wrong. */
type Property = (play: Play, creations: readonly Creation[]) => string[];

// Money

type Row = Pick<Creation, 'plan' | 'itemIndex'>;

const isOf = (row: Row) => (one: Row) => one.plan === row.plan && one.itemIndex === row.itemIndex;

/**
 * One paid job for a row; one more for each retry by a person, where the job before has failed, or its answer was
 * lost.
 */
const paidOnce: Property = ({ workflows }, creations) => {
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
const notOnDoubt: Property = (_, creations) =>
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
const nothingLost: Property = (play, creations) => {
	const told = toldIn(play);
	return creations.filter(isPaid).flatMap((creation) => {
		const { job, itemIndex, execution, isLost } = creation;
		if (isNamed(textOf(execution), job)) return [];
		if (isLost && isDoubted(told, creation)) return [];
		return [`${isLost ? 'doubtful' : 'known'} job ${job.id} of item ${itemIndex} is lost`];
	});
};

/** An error that stops a workflow names all jobs of all its rows, and tells of new doubts. */
const errorNamesAll: Property = (play, creations) => {
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
const trueWords: Property = (play, creations) =>
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
const trueCounts: Property = ({ workflows }, creations) =>
	workflows.flatMap(({ plan, executions }) =>
		executions.flatMap(({ error }, run) => {
			const told = notStartedIn(error ? toldBy(error) : '');
			const until = creations.filter((one) => one.plan === plan && one.run <= run);
			const ordered = until.filter((one) => isPaid(one) || one.isLost);
			const without = plan.prompts.length - new Set(ordered.map((one) => one.itemIndex)).size;
			return told > without ? [`${told} "not started", but only ${without} are not`] : [];
		}),
	);

// Limits

/** The service refuses the sixth itself, so that this is about the sandbox, too. */
const fiveRunning: Property = ({ n8n }) => {
	const most = mostAtOnce({ jobs: n8n.state.jobs.list });
	return most > LIMITS.concurrentGenerations ? [`${most} jobs were running`] : [];
};

/** Without cause, the service has never to say 429 itself. */
const withinLimits: Property = ({ scenario, n8n }, creations) => {
	const { weather, faults, workflows } = scenario;
	const mayCollide =
		weather === 'crowded' ||
		// What outlasts its request is counted when nobody expects it any more.
		faults.some(({ fault }) => fault.kind === 'slow' && fault.ms > 20_000) ||
		creations.some(({ isLost }) => isLost) ||
		faults.some(isRefusal) ||
		// Jobs that nobody waits for any more.
		workflows.some((plan) => {
			const { stopsAfterMs, options } = plan;
			const isLeft = stopsAfterMs !== undefined || options.timeout < 600;
			// It holds its place for a minute at most, where the history does not show its end.
			return isLeft || !plan.wait || isUnreadable(scenario, plan);
		});
	const { entries } = n8n.state.journal;
	const refused = entries.filter(({ status, fault }) => status === 429 && fault === undefined);
	return refused.length > 0 && !mayCollide ? [`${refused.length} answers were 429`] : [];
};

/** The operation of a scenario whose status the document does not show. */
const UNSEEN = 'generateUnified';

/** Its jobs are handed on unwaited: a number proves no job at a place that is not documented for it. */
const isUnreadable = (scenario: Scenario, { parameters: { operation } }: WorkflowPlan) =>
	operation === UNSEEN && scenario.settings.shapes?.creation?.ids === 'number';

/** After it, a job is given up. */
function isRefusal({ fault }: FaultRuleInput): boolean {
	return fault.kind === 'status' && fault.status < 500 && fault.status !== 429;
}

// Results

/** What is put out is in input order, and each is the job of its item. */
const paired: Property = ({ workflows, n8n }) =>
	workflows.flatMap(({ plan, executions }) =>
		executions.flatMap((execution) => {
			const { items, error } = execution;
			if (error) return [];
			const of = items.map(({ pairedItem }) => (pairedItem as { item: number }).item);
			// Stop ends it wherever it is.
			const all = plan.prompts.map((_, itemIndex) => itemIndex);
			const expected = isStopped(plan, execution) ? all.filter((i) => of.includes(i)) : all;
			const isOrdered = JSON.stringify(of) === JSON.stringify(expected);
			const strangers = items.filter(({ json }, index) => {
				const id = json.jobId ?? json.generation_id ?? json.task_id ?? json.id;
				const job = id === undefined ? undefined : n8n.state.jobs.find(String(id));
				return job && itemOf(plan, String(job.body.prompt)) !== of[index];
			});
			return [
				...(isOrdered ? [] : [`items come out as ${of}`]),
				...strangers.map(({ json }) => `job ${String(json.jobId)} is at another item`),
			];
		}),
	);

/** Not simplified, an item has the state under the service's own name for it, as it writes it. */
function isCompleted(json: IDataObject): boolean {
	return [json.status, json.state].some((state) => /^completed$/i.test(String(state)));
}

/** With time enough, what passes makes no item fail. */
const enduring: Property = ({ scenario, workflows, n8n }) => {
	if (scenario.weather === 'any') return [];
	return workflows.flatMap(({ plan, executions }) =>
		executions.flatMap(({ error, items, tries }) => {
			const mayFail = plan.prompts.some((prompt) => prompt.includes('[fail]'));
			if (mayFail || isUnreadable(scenario, plan)) return [];
			if (error) return [`failed: ${toldBy(error)}`];
			const bad = items.filter(({ json }) => json.error !== undefined);
			const unfinished = items.filter(({ json }) => plan.wait && !isCompleted(json));
			return [
				...(tries > 1 ? [`took ${tries} tries`] : []),
				...bad.map(({ json }) => `failed: ${String(json.error)}`),
				...(bad.length === 0 ? unfinished : []).map(({ json }) => `is ${String(json.status)}`),
				...(n8n.state.jobs.list.length === 0 ? ['nothing was made'] : []),
			];
		}),
	);
};

/** Stop in the editor ends the run within a second. */
const stopsAtOnce: Property = ({ workflows }) =>
	workflows.flatMap(({ plan, executions: [first] }) => {
		const { startedAt, endedAt } = first!;
		// Between two tries, n8n itself does not heed it.
		const isSeen = isStopped(plan, first!) && !plan.node.retryOnFail;
		if (plan.stopsAfterMs === undefined || !isSeen) return [];
		const lateMs = endedAt - startedAt - plan.stopsAfterMs;
		return lateMs > 1000 ? [`went on for ${lateMs} ms after Stop`] : [];
	});

/** The key is nowhere; `run/secrets` has what the service repeats of it. */
const secret: Property = ({ workflows, n8n }) => {
	const shown = workflows.flatMap(({ executions }) =>
		executions.flatMap(({ outputs, error, memory, flow, hints, messages }) => {
			const kept = JSON.stringify({ outputs, memory, flow, hints, messages });
			// Also what is not enumerable, such as a cause.
			return [kept, inspect(error, { depth: 10, showHidden: true, maxStringLength: null })];
		}),
	);
	const all = [...shown, ...n8n.log.map(({ text }) => text)];
	return all.some((text) => text.includes(n8n.state.settings.key)) ? ['the key is shown'] : [];
};

const PROPERTIES: Record<string, Property> = {
	paidOnce,
	notOnDoubt,
	nothingLost,
	errorNamesAll,
	trueWords,
	trueCounts,
	fiveRunning,
	withinLimits,
	paired,
	enduring,
	stopsAtOnce,
	secret,
};

/** What is wrong with how a scenario went, each with the name of the property. */
export function violations(play: Play): string[] {
	const creations = creationsOf(play);
	return Object.entries(PROPERTIES).flatMap(([name, property]) =>
		property(play, creations).map((text) => `${name}: ${text}`),
	);
}
