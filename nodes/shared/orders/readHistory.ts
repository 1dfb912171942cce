import type { Clock } from '../clock/clock';
import type { Looker, News } from '../account/history';
import type { Granted } from '../account/requests';
import { pageRequest } from '../request/buildRequest';
import { attempt } from '../account/backoff';
import type { Service } from '../service/service';
import { isTooMany, ServiceError } from '../service/serviceError';
import { isUnfinished } from '../spec/answers';
import { JOB_HISTORY } from '../spec/jobs';
import { CONCURRENT_GENERATIONS } from '../spec/limits';
import type { Claims } from './claims';
import { historyEntries } from './historyEntries';

/** How many entries of the history are asked for, and read if there are more. */
const ASKED = 20;
const MOST_READ = 200;

/** A job of others that has not ended this long after its creation takes no place any more, in ms. */
const FORGOTTEN_MS = 900_000;

/** Asks the generation history about all jobs with one request (`Looker`). What it shows is not documented. */
export async function readHistory(
	service: Service,
	granted: Granted,
	{ claims, clock, signal }: { claims: Claims; clock: Clock; signal?: AbortSignal },
): ReturnType<Looker['readHistory']> {
	const answer = await attempt(service.send(pageRequest(JOB_HISTORY, ASKED), { granted }));
	const news = new Map<string, News>();
	if ('error' in answer) {
		const { outcome } = answer.error instanceof ServiceError ? answer.error : {};
		if (isTooMany(answer.error) || outcome === 'notSent' || signal?.aborted) return 'unknown';
		return outcome === 'refused' ? 'useless' : { news, others: 0 };
	}
	const entries = historyEntries(answer.value, MOST_READ);
	if (!entries) return 'useless';
	const now = clock.now();
	const others = new Set<string>();
	for (const { id, state, record, createdAt = now } of entries) {
		if (!record || id === undefined || state === undefined) continue;
		if (!news.has(id)) news.set(id, { state, record });
		if (isUnfinished(state) && now - createdAt < FORGOTTEN_MS && !claims.has(id)) others.add(id);
	}
	return { news, others: Math.min(others.size, CONCURRENT_GENERATIONS) };
}
