import { ERRORS } from '../../document.mts';
import { toldBy } from '../../support/toldBy.mts';
import { answerNamed } from './answers.mts';
import { force, forceInBatch, testCredential, toldIn, type Forced } from './force.mts';
import { ROWS, type Row } from './rows.mts';

/**
 * What a person is told when something goes wrong, and how often it is paid for: one table of what becomes of a
 * request, before or after its effect, by what the request was for. Expected is what the service's documentation and
 * the money rules say.
 */

const hasFailed = ({ charged }: Row) => charged !== 'result' && charged !== 'as is';

function nameOf(row: Row): string {
	const { stage, answer, effect, times, charged, sent, words } = row;
	const when = `${effect && ` ${effect} the effect`}${times === 'always' ? ', always' : ''}`;
	const isOnce = stage === 'create' && sent !== 'again';
	const ends: Partial<Record<Row['charged'], string>> = {
		'as is': 'given out as it is',
		result: stage === 'download' && words ? 'the result, without its file' : 'the result',
	};
	const money = { no: 'not charged', yes: 'charged', unknown: 'charged unknown' };
	const failed = `${money[charged as keyof typeof money]}${isOnce ? ', not sent again' : ''}`;
	return `${stage}, ${answer}${when}: ${stage === 'test' ? words || 'all is well' : (ends[charged] ?? failed)}`;
}

const named = (rows: readonly Row[]) => rows.map((row) => [nameOf(row), row] as const);

/** What is said about money where a job is ordered. Nobody must read the opposite. */
const MONEY: Record<string, { says: RegExp; never: RegExp }> = {
	no: { says: /nothing was charged/i, never: /paid for|was charged when/i },
	unknown: { says: /may exist and be paid for/, never: /nothing was charged/i },
	yes: { says: /is paid for|was charged when/, never: /nothing was charged/i },
};

/** That it has happened: else, the rest proves nothing. */
function expectForced({ answer, times }: Row, { n8n, sent, broken, jobId }: Forced) {
	const { fault, isUnreachable, prompt, jobId: unknownId } = answerNamed(answer);
	const hit = sent.filter((entry) => entry.fault !== undefined);
	const status = fault?.kind === 'status' ? { status: fault.status } : {};
	if (fault) {
		expect(hit).toHaveLength(times === 'once' ? 1 : sent.length);
		expect(hit[0]).toMatchObject({ fault: fault.kind, ...status });
	} else if (isUnreachable) expect(broken).toContain('ECONNREFUSED');
	else if (prompt) expect(n8n.state.jobs.list[0]?.state).toBe('failed');
	else expect([jobId, sent[0]?.status]).toEqual([unknownId, 404]);
}

/** Nothing is paid for twice, and nothing is sent again that may have had an effect. */
function expectSent(row: Row, forced: Forced) {
	expectForced(row, forced);
	const { stage, effect, charged, sent } = row;
	const { journal, jobs, account } = forced.n8n.state;
	if (sent === 'again') expect(forced.sent.length).toBeGreaterThan(1);
	else if (sent !== '') expect(forced.sent).toHaveLength(Number(sent));
	const isMade = stage !== 'create' || effect === 'after' || charged === 'result';
	expect(jobs.list).toHaveLength(isMade ? 1 : 0);
	expect(account.charges).toHaveLength(isMade ? 1 : 0);
	if (stage !== 'create') expect(journal.ofKind('create')).toHaveLength(1);
}

/** Money, and what the service has said: a wait that goes on tells of its last read in short. */
function expectText({ stage, answer, charged }: Row, text: string, everything: string) {
	const { says, never } = MONEY[charged]!;
	const isOrder = stage === 'create' || stage === 'wait';
	if (isOrder) expect(text).toMatch(says);
	if (isOrder) expect(text).not.toMatch(never);
	const { fault } = answerNamed(answer);
	const { error } = Object(fault?.kind === 'status' && fault.body) as { error?: string };
	if (error && stage !== 'wait') expect(everything).toContain(error);
}

function expectTold(row: Row, forced: Forced) {
	const { told, items, error, jobId } = forced;
	const { stage, words, next, charged, retry } = row;
	expect(error).toBeUndefined();
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }]);
	expect(told).toMatchObject({ charged, retry });
	expect(told.error).toContain(words);
	expect(told.description).toContain(next);
	// The ID of a job goes with whatever is told of it (money rule 3).
	expect(told.jobId).toBe(stage === 'wait' || stage === 'read' ? jobId : undefined);
	expectText(row, `${told.error} ${told.description}`, JSON.stringify(items));
}

/** With *Stop Workflow*. That of a job which a person has named to read it names it not. */
function expectThrown(row: Row, { error, items, jobId = '' }: Forced) {
	expect(items).toEqual([]);
	expect(error?.message).toContain(row.words);
	expect(error?.description).toContain(row.next);
	if (row.stage === 'wait') expect(error?.message).toContain(jobId);
	expectText(row, `${error?.message} ${error?.description}`, toldBy(error));
}

function expectResult({ words, next, stage }: Row, { items, hints, told }: Forced) {
	expect(items).toHaveLength(1);
	expect(told).toMatchObject({ status: 'completed' });
	expect(told).not.toHaveProperty('error');
	expect(told).not.toHaveProperty('charged');
	if (stage !== 'download') return;
	expect(told.mediaUrl).toMatch(/^https:.*\.png$/);
	expect(Object.keys(items[0]?.binary ?? {})).toEqual(words ? [] : ['data']);
	expect(JSON.stringify(told.details)).toContain(words);
	expect(hints.map(({ message }) => message).join('\n')).toContain(next);
}

function expectAsIs({ stage, words }: Row, { told, jobId }: Forced) {
	expect(told).not.toHaveProperty('charged');
	expect(JSON.stringify(told)).toContain(words);
	if (stage === 'read') expect(told).toMatchObject({ jobId, status: null, mediaUrl: null });
}

describe('each row of the table', () => {
	test.each(named(ROWS.filter(({ stage }) => stage !== 'test')))('%s', async (_, row) => {
		const forced = await force(row);
		expectSent(row, forced);
		if (hasFailed(row)) expectTold(row, forced);
		else if (row.charged === 'result') expectResult(row, forced);
		else expectAsIs(row, forced);
	});

	test.each(named(ROWS.filter(({ stage }) => stage === 'test')))('%s', async (_, row) => {
		const { shown, isRedirectFollowed, sent } = await testCredential(row);
		expect(sent).toHaveLength(Number(row.sent));
		expect(sent[0]).toMatchObject({ method: 'GET', path: '/payments/api/credits/' });
		expect(sent[0]?.fault).toBe(answerNamed(row.answer).fault?.kind);
		expect(isRedirectFollowed).toBe(false);
		expect(shown).toContain(row.words);
		expect(shown).toContain(row.next);
		expect(shown === '').toBe(row.charged === 'result');
	});

	test('stands there once, and all documented statuses at each stage that they can meet', () => {
		const names = ROWS.map(nameOf);
		expect(names).toEqual([...new Set(names)]);
		const cells = (['create', 'wait', 'read', 'list', 'test'] as const).flatMap((stage) =>
			ERRORS.map(({ status }) => `${stage}, ${status}`),
		);
		const isThere = (cell: string) => names.some((name) => name.startsWith(cell));
		expect(cells.filter((cell) => !isThere(cell))).toEqual([]);
	});
});

/** *Continue* is that of the table; `engine/outputs` has the error output. */
describe('On Error', () => {
	const answers = ['402, none bought', '403', '500', 'reset', 'job fails'];
	const rows = named(
		ROWS.filter((row) => row.stage !== 'test' && hasFailed(row) && answers.includes(row.answer)),
	);

	test.each(rows)('Stop Workflow: the error has it all: %s', async (_, row) => {
		const forced = await force(row, 'stopWorkflow');
		expectSent(row, forced);
		expectThrown(row, forced);
	});
});

describe('a batch of which one row is hit', () => {
	const answers = ['402, too few credits', '500', 'reset', 'unreadable'];
	const rows = ROWS.filter(
		({ stage, answer }) =>
			answer === 'job fails' || (stage === 'create' && answers.includes(answer)),
	);

	/** No row is sent twice, and only what was made is charged. */
	function expectSentOnce(row: Row, batch: Awaited<ReturnType<typeof forceInBatch>>) {
		const { prompts, n8n, ids } = batch;
		const sent = n8n.state.journal.ofKind('create');
		const promptsOf = (entries: typeof sent) => entries.map(({ body }) => Object(body).prompt);
		expect(promptsOf(sent).sort()).toEqual(prompts);
		const hit = sent.filter(({ fault }) => fault !== undefined);
		expect(promptsOf(hit)).toEqual(answerNamed(row.answer).fault ? ['b'] : []);
		expect(n8n.state.account.charges).toHaveLength(ids.filter(Boolean).length);
	}

	test.each(named(rows))('Stop Workflow: it names the row and the others: %s', async (_, row) => {
		const batch = await forceInBatch(row, 'stopWorkflow');
		expectSentOnce(row, batch);
		const { error, items, ids, prompts } = batch;
		expect(items).toEqual([]);
		expect(error?.message).toContain(`1 of 3 failed: row 2, "${prompts[1]}"`);
		expect(error?.message).toContain(row.words);
		expect(error?.description).toContain(row.next);
		expect(error?.description).toContain('The others: 2 finished.');
		expect(error?.messages.join('\n')).toMatch(
			new RegExp(`Row 1, "a": job ${ids[0]} completed[^]*Row 3, "c": job ${ids[2]} completed`),
		);
		if (row.stage === 'wait') expect(error?.message).toContain(ids[1]);
	});

	const settings = ['continueRegularOutput', 'continueErrorOutput'] as const;
	const continued = settings.flatMap((onError) =>
		named(rows).map(([name, row]) => [onError, name, row] as const),
	);

	test.each(continued)('%s: the others are done: %s', async (onError, _, row) => {
		const batch = await forceInBatch(row, onError);
		expectSentOnce(row, batch);
		const { items, ids, error } = batch;
		expect(error).toBeUndefined();
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2].map((item) => ({ item })));
		const [first, told, last] = items.map(toldIn);
		expect(first).toMatchObject({ status: 'completed', jobId: ids[0] });
		expect(last).toMatchObject({ status: 'completed', jobId: ids[2] });
		expect(told).toMatchObject({ charged: row.charged, retry: row.retry });
		expect(told?.error).toContain(row.words);
		expect(told?.jobId).toBe(row.stage === 'wait' ? ids[1] : undefined);
	});
});
