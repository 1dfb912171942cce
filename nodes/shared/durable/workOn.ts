import type { IExecuteFunctions } from 'n8n-workflow';

import type { Clock } from '../clock/clock';
import { fingerprint } from '../jobs/fingerprint';
import { nextPollMs } from '../jobs/pollingPlan';
import { reconcile } from '../jobs/reconcile';
import { ledgerEntryOf, remember, typicalOf } from '../jobs/runJob';
import type { Run } from '../run/run';
import { unknownOutcomeText } from '../service/errorTexts';
import { ServiceError } from '../service/serviceError';
import { noteParked, othersParked } from './neighbours';
import { packed } from './packing';
import { PROMPT_FIELD } from '../spec/records';
import type { CreateOperation } from '../spec/types';
import { restMs } from './rest';
import type { WorkState } from './state';
import { UNDER_WAY } from './underWay';
import { openDurable, openItems, stretch, type OpenItem } from './stretch';

/** Items of a durable run that have not come to their end. */
interface Open {
	/** Their jobs run, as far as is known. */
	running: OpenItem[];
	/** Those to be created next, as many as may run besides. */
	next: OpenItem[];
	/** Whether any is left to do. */
	isAny: boolean;
}

/**
 * One stretch of work on a durable run. What it is about to create is stored by n8n before: such a
 * stretch only says what the next one is to create.
 *
 * @returns until when to park, ms since 1970, 0 for not at all; `undefined` when all is done
 */
export async function workOn(
	context: IExecuteFunctions,
	state: WorkState,
	clock: Clock,
): Promise<number | undefined> {
	// Without a service: it may be what was missing.
	if (openItems(state).length === 0) return undefined;
	const run = await openDurable(context, state, clock);
	if (state.isHeir) await reconcileIntents(run, state);
	const before = openIn(run, state);
	if (!before.isAny) return undefined;
	state.unfinishedShown = [...run.jobs.account.unfinishedShown];
	const { items: intents } = state.intents;
	if (intents.length === 0 && before.next.length > 0 && clock.now() >= state.blockedTill) {
		state.intents = {
			at: clock.now(),
			items: before.next.map(({ itemIndex }) => itemIndex),
		};
		return 0;
	}
	const intended = before.next.filter(({ itemIndex }) => intents.includes(itemIndex));
	const results = await stretch(context, state, [...before.running, ...intended], clock);
	for (const [itemIndex, result] of results) state.results[itemIndex] = packed(result);
	state.intents = { at: 0, items: [] };
	const isNew =
		results.size > 0 || intended.some(({ jobSpec }) => ledgerEntryOf(run.jobs, jobSpec));
	if (isNew) state.newsAt = clock.now();
	const rest = isNew ? 0 : restFor(run, state);
	const till = rest > 0 ? clock.now() + rest : 0;
	if (!isNew) state.blockedTill = till;
	noteIn(run, state, till);
	return till;
}

function openIn({ jobs }: Run, state: WorkState): Open {
	const open = openItems(state);
	const running = open.filter(({ jobSpec }) => ledgerEntryOf(jobs, jobSpec));
	// Nothing is begun after a failure, unless the user wants that.
	const isClosed =
		!state.continueOnFail && Object.values(state.results).some((one) => 'error' in one);
	const wanted = isClosed ? [] : open.filter((item) => !running.includes(item));
	const free = Math.min(...wanted.map(({ jobSpec }) => jobSpec.maxRunning)) - running.length;
	const next = wanted.slice(0, Math.max(0, free));
	return { running, next, isAny: running.length + wanted.length > 0 };
}

/** What the execution in whose place this one is was about to create, when it died. */
async function reconcileIntents(run: Run, state: WorkState): Promise<void> {
	const { at, items } = state.intents;
	const doubtful = openItems(state).filter(
		({ itemIndex, jobSpec }) => items.includes(itemIndex) && !ledgerEntryOf(run.jobs, jobSpec),
	);
	if (doubtful.length > 0) {
		noteIn(run, state, 0);
		const sent = doubtful.map(({ itemIndex, jobSpec: { operation, request } }) => {
			const prompt = request.body?.[PROMPT_FIELD];
			return { itemIndex, operation, prompt, request: fingerprint(request), sentAt: at };
		});
		const found = await reconcile(run.jobs, sent);
		for (const { itemIndex, jobSpec } of doubtful) {
			const job = found.get(itemIndex);
			if (typeof job === 'object') remember(run.jobs, jobSpec, { job });
			if (job !== 'unknown') continue;
			const error = unknownOutcomeError(jobSpec.operation);
			remember(run.jobs, jobSpec, { unknownOutcome: error.message });
			state.results[itemIndex] = packed({ error });
		}
	}
	state.isHeir = false;
	state.intents = { at: 0, items: [] };
}

/** For how long to park, ms. */
function restFor({ jobs }: Run, state: WorkState): number {
	const { clock, account } = jobs;
	const now = clock.now();
	const running = openItems(state).flatMap(({ jobSpec }) => {
		const { job } = ledgerEntryOf(jobs, jobSpec) ?? {};
		return job ? [{ job, jobSpec }] : [];
	});
	const due = running.map(({ job: { startedAt }, jobSpec }) => {
		const { maxPollIntervalMs } = jobSpec;
		return (
			startedAt +
			nextPollMs(now - startedAt, { typical: typicalOf(account, jobSpec), maxPollIntervalMs })
		);
	});
	const ends = running.map(({ job, jobSpec }) => job.startedAt + jobSpec.timeoutMs);
	const ceilings = running.map(({ jobSpec }) => jobSpec.maxPollIntervalMs ?? 0);
	return restMs({
		now,
		newsAt: state.newsAt,
		dueAt: due.length > 0 ? Math.min(...due) : undefined,
		endsAt: ends.length > 0 ? Math.min(...ends) : undefined,
		maxPollIntervalMs: Math.max(0, ...ceilings),
		others: othersParked(state.waiter.ticket, now),
	});
}

/** Tells the other durable runs of this process of this one. */
function noteIn({ jobs }: Run, state: WorkState, till: number): void {
	noteParked(state.waiter.ticket, till);
	// Those of items that are done, too: another item may have the same prompt.
	for (const { id } of jobs.ledger.jobs) jobs.account.claims.add(id);
}

function unknownOutcomeError(operation: CreateOperation): ServiceError {
	return new ServiceError({
		message: UNDER_WAY,
		description: unknownOutcomeText(operation).notFound,
		outcome: 'unknown',
	});
}
