import type { IDataObject } from 'n8n-workflow';

import type { Job } from '../../../sandbox/jobs.mts';
import { mostWithin } from '../../support/mostWithin.mts';
import type { Told, ToldTrigger } from './tell.mts';
import { LIMITS } from '../../document.mts';

/** Holds for every trigger of every story; gives what it finds wrong. */
type Truth = (trigger: ToldTrigger, told: Told) => string[];

/** Characters of static data. */
const MOST_STORED = 160_000;

/** What triggers may send in a minute: half of what the account may (docs/maintainers/architecture.md). */
const MOST_REQUESTS = 50;

/** From a deed to the end of the polls that do not know of it yet, ms. */
const UNCERTAIN_MS = 420_000;

interface Fired {
	at: number;
	id: string;
	json: IDataObject;
}

const firedBy = ({ workflow }: ToldTrigger): Fired[] =>
	workflow.executions.flatMap(({ at, items }) =>
		items.map(({ json }) => ({ at, id: String(json.jobId), json })),
	);

const never: Truth = (trigger) => {
	const counts = new Map<string, number>();
	for (const { id } of firedBy(trigger)) counts.set(id, (counts.get(id) ?? 0) + 1);
	return [...counts].flatMap(([id, count]) => (count > 1 ? [`${id} fired ${count} times`] : []));
};

/** Each item is of a job of the account that has ended as it says, and that is wanted. */
const wanted: Truth = (trigger, { n8n }) =>
	firedBy(trigger).flatMap(({ at, id, json }) => {
		const job = n8n.state.jobs.find(id);
		if (!job) return [`no job ${id}`];
		const { status = job.outcome } = json;
		// Without Simplify, the item is the record as it came.
		const isSo = String(status).toLowerCase() === job.outcome || json.mediaUrl === undefined;
		if (!isSo || job.endsAt > at) return [`${id} is not ${String(status)}`];
		return isWish(job, trigger) ? [] : [`${id} is unwanted`];
	});

/** A completed job has its media; only where the service does not know its status, it has what the list tells. */
const withMedia: Truth = (trigger, { n8n }) =>
	firedBy(trigger).flatMap(({ id, json }) => {
		const job = n8n.state.jobs.find(id);
		if (!job || json.status !== 'completed') return [];
		const text = JSON.stringify('mediaUrl' in json ? json.mediaUrl : json);
		const reads = n8n.state.journal.entries.filter(({ path }) => path.includes(id));
		const isRefused = reads.some(({ status }) => status === 404);
		return isRefused || text.includes('https://') ? [] : [`${id} has no media: ${text}`];
	});

/** What a list has shown as ended when a person switched the workflow on is no news. */
const noOldNews: Truth = (trigger, told) => {
	const on = trigger.deeds.filter(({ kind }) => kind === 'on');
	return firedBy(trigger).flatMap(({ at, id }) => {
		const job = told.n8n.state.jobs.find(id);
		const begun = on.findLast(({ from }) => from <= at);
		if (!job || !begun || !isListed(job, told)) return [];
		return job.endsAt < begun.from ? [`${id} had ended before activation`] : [];
	});
};

/** Every job that ends while the workflow is on, and is wanted, and is listed to the end, is told. */
const complete: Truth = (trigger, told) => {
	const { n8n, endedAt } = told;
	const fired = new Set(firedBy(trigger).map(({ id }) => id));
	const begun = trigger.deeds.findLast(({ kind }) => kind === 'on')!;
	return n8n.state.jobs.list.flatMap((job) => {
		if (fired.has(job.id) || !['completed', 'failed'].includes(job.state) || !isListed(job, told))
			return [];
		if (job.endsAt <= begun.to || job.endsAt > endedAt - UNCERTAIN_MS) return [];
		if (!isWish(job, trigger)) return [];
		return [`${job.id} (${job.operation.resource}, ${job.outcome}) has not fired`];
	});
};

/** A list of one type has the jobs of that, and Video Studio has a list of its own. */
function isListed({ operation }: Job, { story }: Told): boolean {
	const { lists = 'all' } = story.settings.shapes!.list!;
	return (
		['all', 'ended', operation.mediaType].includes(lists) || operation.resource === 'videoStudio'
	);
}

function isWish({ outcome, operation }: Job, { workflow }: ToldTrigger): boolean {
	const { events, mediaType } = workflow.parameters;
	const isMedia = mediaType === 'all' || mediaType === operation.mediaType;
	return isMedia && String(events).split(',').includes(outcome);
}

const small: Truth = ({ mostStored }) =>
	mostStored > MOST_STORED ? [`${mostStored} characters of static data`] : [];

/** Of all triggers together. */
const modest: Truth = ({ workflow }, { n8n, polling, triggers }) => {
	if (workflow !== polling.workflows[0]) return [];
	const { entries } = n8n.state.journal;
	const refused = entries.filter(({ status, fault }) => status === 429 && fault === undefined);
	const waits = triggers.flatMap((trigger) => trigger.waits);
	const times = entries.map(({ at }) => at);
	const most = mostWithin(
		times.filter((at) => !waits.some(({ from, to }) => from <= at && at <= to)),
		LIMITS.user.windowMs,
	);
	return [
		...(refused.length > 0 ? [`${refused.length} answers were 429`] : []),
		...(most > MOST_REQUESTS ? [`${most} requests in a minute`] : []),
	];
};

const TRUTHS: Record<string, Truth> = {
	never,
	wanted,
	withMedia,
	noOldNews,
	complete,
	small,
	modest,
};

/** What is wrong with how a story went. */
export function violations(told: Told): string[] {
	return told.triggers.flatMap((trigger) =>
		Object.entries(TRUTHS).flatMap(([name, truth]) =>
			truth(trigger, told).map((text) => `${trigger.workflow.id} ${name}: ${text}`),
		),
	);
}
