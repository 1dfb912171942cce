/**
 * Mistakes of one line each that a suite has to notice: what a user would lose by, and what came close to being
 * overlooked before. `npm run test:mistakes` makes them, one at a time, in a copy of the repository. When the line of
 * one goes, whoever removes it writes the mistake anew for what took its place: there are 25 at the end of every change.
 */
export interface Mistake {
	/** What the package then does wrong. */
	name: string;
	file: string;
	/** A part of a line that the file has once, and what is there by mistake. It has to compile. */
	before: string;
	after: string;
	/** Part of the path in `test` of the suite that notices. It knows the package only as n8n does. */
	suite: string;
}

export const MISTAKES: readonly Mistake[] = [
	{
		name: 'an order is forgotten when its node runs again',
		file: 'nodes/shared/orders/orders.ts',
		before: '=> of.isTool || run === of.run;',
		after: '=> of.isTool || run > of.run;',
		suite: 'unit/run/paidOnce',
	},
	{
		name: 'a creation is sent again after a time-out or a server error',
		file: 'nodes/shared/orders/startJob.ts',
		before: 'isUnreachable(error) ? reconnectMs(tries++)',
		after: 'isUnreachable(error) || isOutcomeUnknown(error) ? reconnectMs(tries++)',
		suite: 'unit/run/paidOnce',
	},
	{
		name: 'a 500 counts as a refusal, which charges nothing',
		file: 'nodes/shared/service/serviceError.ts',
		before: 'DOCUMENTED_STATUSES.includes(status) && status < 500 ?',
		after: 'DOCUMENTED_STATUSES.includes(status) && status <= 500 ?',
		suite: 'unit/errors',
	},
	{
		name: 'the error of a batch names no other row',
		file: 'nodes/shared/run/tell.ts',
		before: 'details: others.flatMap((row) => lineOf(row) ?? []),',
		after: 'details: [],',
		suite: 'unit/run/paidOnce',
	},
	{
		name: 'the key goes to any origin that another node asks',
		file: 'nodes/shared/service/credential.ts',
		before: 'if (target?.origin !== new URL(base).origin) {',
		after: 'if (!target) {',
		suite: 'unit/trust/credential',
	},
	{
		name: 'the key stays in what the service answers',
		file: 'nodes/shared/service/service.ts',
		before: 'JSON.stringify(value), secrets)',
		after: 'JSON.stringify(value), secrets.slice(0, 0))',
		suite: 'unit/run/secrets',
	},
	{
		name: 'items come out in another order',
		file: 'nodes/shared/run/execute.ts',
		before: 'row.result = results[index]!;',
		after: 'row.result = results[open.length - 1 - index]!;',
		suite: 'unit/run/paidOnce',
	},
	{
		name: 'Max Credits per Run is not kept',
		file: 'nodes/shared/run/costs.ts',
		before: 'if (total.credits <= limit) return;',
		after: 'if (Number.isFinite(limit)) return;',
		suite: 'unit/run/guards',
	},
	{
		name: 'after a 429 the next creation follows at once',
		file: 'nodes/shared/orders/startJob.ts',
		before: 'if (isTooMany(error)) place.refused(error.retryAfterMs);',
		after: 'if (isTooMany(error)) place.release();',
		suite: 'unit/orders/places',
	},
	{
		name: 'six jobs run at a time',
		file: 'nodes/shared/spec/limits.ts',
		before: 'export const CONCURRENT_GENERATIONS = 5;',
		after: 'export const CONCURRENT_GENERATIONS = 6;',
		suite: 'unit/document/limits',
	},
	{
		name: 'an entry of the history stands for a record with the result of another job',
		file: 'nodes/shared/orders/history.ts',
		before: 'return isComplete && isOwn && isSameText;',
		after: 'return isComplete && isSameText;',
		suite: 'unit/account/rules',
	},
	{
		name: 'the trigger forgets which jobs it has given out',
		file: 'nodes/shared/trigger/memory.ts',
		before: 'marks.add(mark);',
		after: 'void mark;',
		suite: 'unit/trigger/polls',
	},
	{
		name: 'a worker that takes over creates what may have been sent',
		file: 'nodes/shared/durable/round.ts',
		before: 'const hasNoted = markOf(context)[NOTED] === true;',
		after: 'const hasNoted = markOf(context)[NOTED] !== false;',
		suite: 'unit/durable/chaos',
	},
	{
		name: 'a price is 10 credits too low',
		file: 'nodes/shared/spec/video/families.ts',
		before: "['720p', '12', 42, 84],",
		after: "['720p', '12', 42, 74],",
		suite: 'unit/document/prices',
	},
	{
		name: 'a picture that an expression loses is not missed',
		file: 'nodes/shared/request/request.ts',
		before: 'entries.every((one) => one === null || one === undefined);',
		after: "entries.every((one) => one === '');",
		suite: 'unit/document/expressions',
	},
	{
		name: 'a helper is retried, and works beside the one that has taken its place',
		file: 'nodes/shared/durable/work.ts',
		before: 'if (isOver || isWatched || knownWorkers(clock.now()).has(caller.runId)) {',
		after: 'if (isOver || (isWatched && knownWorkers(clock.now()).has(caller.runId))) {',
		suite: 'unit/durable/retriedHelper',
	},
	{
		name: 'Stop does not end the waiting for a job',
		file: 'nodes/shared/orders/waitForJob.ts',
		before: 'run.account.limits.job(run, followed, run.signal)',
		after: 'run.account.limits.job(run, followed)',
		suite: 'unit/run/stopped',
	},
	{
		name: 'the trigger begins with all jobs that have ended before',
		file: 'nodes/shared/trigger/pollTrigger.ts',
		before: 'isBeginning || !seen.isWatched(key);',
		after: '!isBeginning && !seen.isWatched(key);',
		suite: 'unit/trigger/polls',
	},
	{
		name: 'a redirect takes the key to another origin',
		file: 'nodes/shared/service/credential.ts',
		before: 'const NO_REDIRECTS = { disableFollowRedirect: true, maxRedirects: 0 };',
		after: 'const NO_REDIRECTS = { disableFollowRedirect: false, maxRedirects: 5 };',
		suite: 'unit/trust/key',
	},
	{
		name: 'an item is paired with the item before its own',
		file: 'nodes/shared/run/run.ts',
		before: '({ json, pairedItem: { item: itemIndex } });',
		after: '({ json, pairedItem: { item: Math.max(0, itemIndex - 1) } });',
		suite: 'unit/run/outputByStatus',
	},
	{
		name: 'an item of On Error does not name its job',
		file: 'nodes/shared/run/outputs.ts',
		before: 'return jobOutput(job, origin);',
		after: "return jobOutput({ ...job, id: '' }, origin);",
		suite: 'unit/errors',
	},
	{
		name: 'Stop names no paid job',
		file: 'nodes/shared/run/tell.ts',
		before: 'if (told.length === 0) return false;',
		after: 'if (told.length >= 0) return false;',
		suite: 'unit/run/stopped',
	},
	{
		name: 'Retry On Fail sends a creation in doubt again',
		file: 'nodes/shared/run/doubts.ts',
		before: 'open.filter(({ order }) => orders.isByPerson(order));',
		after: 'open.filter(({ order }) => orders.isByPerson(order) || !run.isRetry);',
		suite: 'unit/run/paidOnce',
	},
	{
		name: 'the error of a time-out does not name the job',
		file: 'nodes/shared/orders/job.ts',
		before: '`Job ${jobName(job)} was not seen to finish within ${timeoutMs / 1000} seconds`,',
		after: '`The job was not seen to finish within ${timeoutMs / 1000} seconds`,',
		suite: 'unit/run/waiting',
	},
	{
		name: 'the Header Form of the credential has no effect',
		file: 'nodes/shared/service/credential.ts',
		before: "choiceOf(credential, 'headerForm', HEADER_FORMS)",
		after: "choiceOf(credential, 'form', HEADER_FORMS)",
		suite: 'unit/trust/credential',
	},
];
