import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { JournalEntry } from '../../../sandbox/journal.mts';
import { CREDENTIAL } from '../../support/product.mts';
import type { Outage } from '../../support/virtualNetwork.mts';
import { VirtualN8n, type Execution, type NodeSettings } from '../../support/virtualRun.mts';
import { warmUp } from '../../support/warmUp.mts';
import { answerNamed } from './answers.mts';
import type { Row } from './rows.mts';

/** Makes what a row of the table says happen, in virtual time. */

export type OnError = NonNullable<NodeSettings['onError']>;

export const IMAGE: IDataObject = {
	...{ resource: 'image', operation: 'generate', size: '1:1', prompt: 'a kite' },
	...{ downloadMedia: false, options: { timeout: 60 } },
};

/** The requests that are hit. */
const KINDS: Record<Row['stage'], NonNullable<JournalEntry['kind']>> = {
	...{ create: 'create', wait: 'status', read: 'status' },
	...{ list: 'list', download: 'media', test: 'record' },
};

const RUNS: Record<Row['stage'], IDataObject> = {
	create: IMAGE,
	wait: IMAGE,
	read: { resource: 'job', operation: 'get', downloadMedia: false },
	list: { resource: 'job', operation: 'history' },
	download: { ...IMAGE, downloadMedia: true },
	test: {},
};

/** An n8n of its own, whose jobs take three seconds. */
export const open = (outages: Outage[] = []) =>
	new VirtualN8n({ outages, settings: { jobMs: { min: 3000, max: 3000 }, queuedMs: 0 } });

function addFault(n8n: VirtualN8n, row: Row, bodyPattern?: string): void {
	const { fault } = answerNamed(row.answer);
	const match = { kind: KINDS[row.stage], bodyPattern };
	const times = row.times === 'once' ? 1 : Infinity;
	if (fault) n8n.state.faults.add({ match, fault, when: row.effect || 'before', times });
}

/** What came of it. */
export interface Forced extends Execution {
	n8n: VirtualN8n;
	/** The job that is asked for, or that was made, if any. */
	jobId?: string;
	/** The requests of the stage that have arrived since. */
	sent: JournalEntry[];
	/** Codes of connections that broke or were never made. */
	broken: string[];
	told: Told;
}

export async function force(row: Row, onError: OnError = 'continueRegularOutput'): Promise<Forced> {
	const { stage, answer, times } = row;
	const { isUnreachable, prompt, jobId: unknownId } = answerNamed(answer);
	const outages: Outage[] = [];
	const n8n = open(outages);
	const broken: string[] = [];
	const send = n8n.network.send.bind(n8n.network);
	n8n.network.send = async (request) =>
		await send(request).catch((error: { code: string }) => {
			broken.push(error.code);
			throw error;
		});
	const run = async (parameters: IDataObject) =>
		await n8n.run({ items: [{}], parameters, node: { onError } });
	const idNow = () => unknownId ?? n8n.state.jobs.list[0]?.id;

	if (stage === 'read' || stage === 'list') await run(IMAGE);
	const before = n8n.state.journal.entries.length;
	addFault(n8n, row);
	// Before a poll, there is a creation. It is answered in the first 100 ms, and its job has not ended after 2 s.
	const [afterMs, forMs] = stage === 'wait' ? [100, 2000] : [0, 500];
	const fromMs = n8n.clock.elapsed() + afterMs;
	const toMs = times === 'always' ? Infinity : fromMs + forMs;
	if (isUnreachable) outages.push({ fromMs, toMs, code: 'ECONNREFUSED' });
	const jobId = stage === 'read' ? idNow() : undefined;
	const execution = await run({
		...RUNS[stage],
		...(jobId && { jobId }),
		...(prompt && { prompt }),
	});
	const arrived = n8n.state.journal.entries.slice(before);
	const sent = arrived.filter(({ kind }) => kind === KINDS[stage]);
	return { ...execution, n8n, jobId: idNow(), sent, broken, told: toldIn(execution.items[0]) };
}

/** Three rows at once: `a`, `b`, which alone is hit, and `c`. */
export async function forceInBatch(row: Row, onError: OnError) {
	const n8n = open();
	await warmUp(n8n);
	addFault(n8n, row, '"prompt":"b"');
	const prompts = ['a', answerNamed(row.answer).prompt ?? 'b', 'c'];
	const parameters = (index: number) => ({ ...IMAGE, prompt: prompts[index] });
	const execution = await n8n.run({ items: [{}, {}, {}], parameters, node: { onError } });
	const ids = prompts.map(
		(prompt) => n8n.state.jobs.list.find(({ body }) => body.prompt === prompt)?.id,
	);
	return { ...execution, n8n, prompts, ids };
}

/** What a failed item says. */
export interface Told extends IDataObject {
	error?: string;
	description?: string;
}

/** Its fields, on whichever output: on that for errors, most are in `message`. */
export function toldIn(item: INodeExecutionData | undefined): Told {
	const { message, ...json } = item?.json ?? {};
	return { ...(message as Told | undefined), ...json };
}

/** What n8n shows after the test of a credential, as its `CredentialsTester` does; nothing where all is well. */
export async function testCredential(row: Row) {
	const n8n = open();
	addFault(n8n, row);
	const { request, rules = [] } = CREDENTIAL.test;
	const baseURL = String(request.baseURL).replace(
		'={{ $credentials.baseUrl }}',
		String(n8n.credential.baseUrl),
	);
	const authenticate = CREDENTIAL.authenticate as CallableFunction;
	const sent = await authenticate(n8n.credential, { method: 'GET', ...request, baseURL });
	const asked = n8n.network.send(sent).then(async ({ statusCode, body }) => {
		const text = Buffer.concat(await body.toArray()).toString();
		return { statusCode, text };
	});
	const { statusCode, text } = await n8n.clock.run(asked);
	const isSuccess = statusCode >= 200 && statusCode <= 299;
	const rule = rules.find(({ type, properties }) => {
		const { key = '', value } = properties as { key?: string; value: unknown };
		if (type === 'responseCode') return !isSuccess && value === statusCode;
		return isSuccess && fieldIn(text, key) === value;
	});
	return {
		shown: rule?.properties.message ?? (isSuccess ? '' : `Status ${statusCode}`),
		// Where the request leaves it open, n8n follows them.
		isRedirectFollowed: sent.disableFollowRedirect !== true,
		sent: n8n.state.journal.entries,
	};
}

/** What is no JSON stays a text, which has no fields. */
function fieldIn(text: string, key: string): unknown {
	try {
		return (JSON.parse(text) as IDataObject)[key];
	} catch {
		return undefined;
	}
}
