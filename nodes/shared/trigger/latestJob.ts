import type { Clock } from '../clock/clock';
import { attempt } from '../service/attempt';
import { sendWithRetry } from '../service/retry';
import type { Service } from '../service/service';
import { asItsStatusTells, asListed, isOver, isResultUntold, type EndedJob } from './endedJob';
import { hasEnded, type ListedJob } from './listedJob';
import { readStream } from './readStream';
import type { Stream } from './stream';
import { isWished, type Wishes } from './wishes';

/** Pages of each list that are looked through for a sample, and jobs. */
const SAMPLE_PAGES = 3;
const SAMPLE_JOBS = 10;

interface Looking {
	service: Service;
	clock: Clock;
	wishes: Wishes;
	signal: AbortSignal;
}

/**
 * The job that has ended last of those that are wished for, as far as the lists tell.
 *
 * @throws ServiceError when no list can be read
 */
export async function latestJob(
	streams: readonly Stream[],
	{ service, clock, wishes, signal }: Looking,
): Promise<EndedJob | undefined> {
	const send: Service['send'] = async (request) =>
		await sendWithRetry(service, request, clock, { signal });
	const reading = { service, send, sendSpare: send, isThorough: true, mostPages: SAMPLE_PAGES };
	const listings = await Promise.all(
		streams.map(async (stream) => await attempt(readStream(stream, reading))),
	);
	const read = listings.flatMap((listing) => ('value' in listing ? [listing.value] : []));
	const [failed] = listings.flatMap((listing) => ('error' in listing ? [listing.error] : []));
	if (read.length === 0 && failed !== undefined) throw failed;
	const ended = read
		.flatMap(({ jobs }) => jobs)
		.filter((job) => hasEnded(job) && isWished(wishes, asListed(job, service).job) !== false);
	for (const job of latestFirst(ended).slice(0, SAMPLE_JOBS)) {
		const listed = asListed(job, service);
		if (!isResultUntold(listed, wishes.options.resultField)) return listed;
		const told = await attempt(asItsStatusTells(job, { ...service, send }, clock));
		if ('error' in told) return listed;
		if (isOver(told.value) && isWished(wishes, told.value.job) !== false) return told.value;
	}
	return undefined;
}

function latestFirst(jobs: readonly ListedJob[]): ListedJob[] {
	const timeOf = ({ endedAt, createdAt = 0 }: ListedJob) => endedAt ?? createdAt;
	return [...jobs].sort((one, other) => timeOf(other) - timeOf(one));
}
