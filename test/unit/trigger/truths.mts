import type { IDataObject } from 'n8n-workflow';

import type { Job } from '../../../sandbox/jobs.mts';
import { mostWithin } from '../faults/facts.mts';
import type { Deed, Told, ToldTrigger } from './tell.mts';
import { LIMITS } from '../../document.mts';

/** Holds for every trigger of every story; gives what it finds wrong. */
type Truth = (trigger: ToldTrigger, told: Told) => string[];

/** Characters of static data. */
const MOST_STORED = 160_000;

/** What triggers may send in a minute: half of what the account may (docs/maintainers/architecture.md). */
const MOST_REQUESTS = 50;

/** From a deed to the end of the polls that do not know of it yet, ms. */
const UNCERTAIN_MS = 420_000;

/** To the end of the poll that is the first to read a list: others may meet faults, ms. */
const FAULTY_MS = 10 * UNCERTAIN_MS;

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
		const isWanted = wishesBetween(trigger, at - UNCERTAIN_MS, at).some((wishes) =>
			isWish(job, wishes),
		);
		return isWanted ? [] : [`${id} is unwanted`];
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
	const { keeping } = told.story;
	return firedBy(trigger).flatMap(({ at, id }) => {
		const job = told.n8n.state.jobs.find(id);
		const begun = on.findLast(({ from }) => from <= at);
		if (!job || !begun || !isListed(job, told)) return [];
		// With cursors, n8n forgets the first poll when it is started anew before the second.
		const isForgotten = told.restarts.some((restart) => restart >= begun.from && restart <= at);
		if (keeping === 'cursors' && isForgotten) return [];
		const [, shownAt] = shownBetween(job, told);
		return shownAt < begun.from ? [`${id} had ended before activation`] : [];
	});
};

/** Every job that ends while the workflow is on, and is wanted, and is listed to the end, is told. */
const complete: Truth = (trigger, told) => {
	const { n8n, endedAt } = told;
	const fired = new Set(firedBy(trigger).map(({ id }) => id));
	const begun = trigger.deeds.findLast(({ kind }) => kind === 'on')!;
	const reset = Math.max(lastReset(trigger, begun), lastForgotten(trigger, told));
	return n8n.state.jobs.list.flatMap((job) => {
		if (fired.has(job.id) || !['completed', 'failed'].includes(job.state) || !isListed(job, told))
			return [];
		const [from, to] = shownBetween(job, told);
		if (from <= begun.to || from <= reset || to > endedAt - UNCERTAIN_MS) return [];
		const wishes = wishesBetween(trigger, from - UNCERTAIN_MS, Infinity);
		if (!wishes.every((one) => isWish(job, one))) return [];
		return [`${job.id} (${job.operation.resource}, ${job.outcome}) has not fired`];
	});
};

/** An edit after which other lists are read: what they show at first is no news (docs/maintainers/architecture.md). */
function lastReset({ deeds }: ToldTrigger, begun: Deed): number {
	let media = begun.parameters.mediaType;
	let reset = -Infinity;
	for (const { kind, parameters, to, from } of deeds) {
		if (kind === 'edit' && parameters.mediaType !== media && from >= begun.to) {
			reset = to + FAULTY_MS;
		}
		if (kind === 'edit') media = parameters.mediaType;
	}
	return reset;
}

/** With cursors, n8n forgets the first poll when it is started anew: then the next one is the first. */
function lastForgotten({ workflow }: ToldTrigger, { story, restarts }: Told): number {
	const at = restarts.at(-1);
	if (story.keeping !== 'cursors' || at === undefined) return -Infinity;
	const first = workflow.polls.find((poll) => poll > at + UNCERTAIN_MS) ?? at;
	return first + FAULTY_MS;
}

/** Of a list that keeps few jobs, those that it keeps to the end; of one of a type, those of the type. */
function isListed(job: Job, { story, n8n }: Told): boolean {
	const { keeps = null, lists = 'all' } = story.settings.shapes!.list!;
	const { list } = n8n.state.jobs;
	const isIn = (jobs: Job[]) => keeps === null || jobs.slice(-keeps).includes(job);
	const isShown = (one: Job) =>
		lists === 'all' || lists === 'ended' || one.operation.mediaType === lists;
	const ofFamily = list.filter(({ operation }) => operation.resource === 'videoStudio');
	return (isShown(job) && isIn(list.filter(isShown))) || (ofFamily.includes(job) && isIn(ofFamily));
}

/** When a list shows for the first time that it has ended: at the earliest, and at the latest. */
function shownBetween({ createdAt, endsAt }: Job, { story }: Told): [number, number] {
	const { lagMs = {}, stateLagMs = {} } = story.settings.shapes!.list!;
	return [endsAt, Math.max(createdAt + (lagMs.max ?? 0), endsAt + (stateLagMs.max ?? 0))];
}

/** All that was wished for between two times. */
function wishesBetween({ deeds }: ToldTrigger, since: number, until: number): IDataObject[] {
	return deeds
		.filter(({ kind, from }, index) => {
			const to = deeds[index + 1]?.to ?? Infinity;
			return kind !== 'off' && from <= until && to >= since;
		})
		.map(({ parameters }) => parameters);
}

function isWish({ outcome, operation }: Job, { events, mediaType }: IDataObject): boolean {
	const isMedia = mediaType === 'all' || mediaType === operation.mediaType;
	return isMedia && String(events).split(',').includes(outcome);
}

const small: Truth = ({ mostStored }) =>
	mostStored > MOST_STORED ? [`${mostStored} characters of static data`] : [];

/** Of all triggers together; a clock that jumps forward frees what was taken. */
const modest: Truth = ({ workflow }, { n8n, story, polling, triggers }) => {
	if (workflow !== polling.workflows[0]) return [];
	const { entries } = n8n.state.journal;
	const refused = entries.filter(({ status, fault }) => status === 429 && fault === undefined);
	const waits = triggers.flatMap((trigger) => trigger.waits);
	const times = entries.map(({ at }) => at);
	const most = mostWithin(
		times.filter((at) => !waits.some(({ from, to }) => from <= at && at <= to)),
		LIMITS.user.windowMs,
	);
	const jumps = story.happenings.filter(({ kind }) => kind === 'skew').length;
	return [
		...(refused.length > 0 ? [`${refused.length} answers were 429`] : []),
		...(most > MOST_REQUESTS * (1 + Math.min(1, jumps)) ? [`${most} requests in a minute`] : []),
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
