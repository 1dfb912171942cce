import type { IDataObject } from 'n8n-workflow';

import { numberIn } from '../jobs/readRecord';
import type { Learned } from '../jobs/learnedStatus';
import { pathWithId } from '../request/buildRequest';
import { ask, itemOf, type Run, type Runner } from '../run/run';
import { attempt } from '../service/attempt';
import { listIn, unwrap } from '../service/bodies';
import { ServiceError } from '../service/serviceError';
import { CREDITS_BALANCE_FIELD } from '../spec/account';
import { JOB_ROUTES, ladderFor, routeNamed, startedWithOf } from '../spec/jobs';
import { DEFAULT_LANGUAGE } from '../spec/music/catalog';
import { openPoint } from '../spec/openPoints';
import type { CheckOperation, CreateOperation, JobRoute } from '../spec/types';

/** How many entries a list is asked for, if it takes a limit. */
const FEW = 5;

/** The outcome of one read. */
type Row = IDataObject & { name: string; answers: boolean | null };

/** Reads all that can be read free of charge, and says in one item what answers, and what that means for waiting. */
export const runCheck: Runner<CheckOperation> = async (run, { reads, creations }, plan) => {
	const seen = await Promise.all(
		Object.entries(reads).map(async ([name, read]) => await rowOf(run, name, read)),
	);
	const rows = seen.map(({ row }) => row);
	const balances = seen.map(({ body }) => numberIn(unwrap(body), [CREDITS_BALANCE_FIELD]));
	const families = familiesOf(run, creations);
	const failed = rows.filter(({ answers }) => answers === false);
	const missing = [...new Set(families.flatMap((one) => one.missing))];
	const json: IDataObject = {
		ok: failed.length === 0,
		summary: summaryOf(rows, failed, families),
		creditsBalance: balances.find((balance) => balance !== null) ?? null,
		reads: rows,
		families,
		settingsMissing: missing,
		baseUrl: run.service.baseUrl,
	};
	return [itemOf(plan, json)];
};

async function rowOf(
	run: Run,
	name: string,
	{ path, paging }: CheckOperation['reads'][string],
): Promise<{ row: Row; body?: unknown }> {
	const setting = typeof path === 'string' ? undefined : openPoint(path.openPoint)?.setting;
	const address = typeof path === 'string' ? path : run.service.path(path.openPoint);
	if (address === undefined) {
		const says = `Not asked: its path is not documented. Setting: ${setting?.label ?? ''}`;
		return { row: { name, answers: null, says } };
	}
	const query = paging && { [paging.limit]: FEW };
	const filled = address.replace(/\{\w+\}/g, DEFAULT_LANGUAGE);
	const read = await attempt(ask(run, { method: 'GET', path: filled, query }));
	if ('value' in read) {
		const listed = listIn(read.value);
		const entries = 'entries' in listed ? { entries: listed.entries.length } : {};
		return { row: { name, answers: true, path: filled, ...entries }, body: read.value };
	}
	const { error } = read;
	const { message, description, status } = error as ServiceError;
	const row = { name, answers: false, path: filled, ...(status && { status }) };
	return { row: { ...row, says: withoutAddresses(`${message}. ${description}`) } };
}

/** Hides e-mail addresses: what the service says may name the person. */
const withoutAddresses = (text: string) =>
	text
		.split(' ')
		.map((word) => (word.includes('@') ? '<address>' : word))
		.join(' ');

/** What jobs of one kind need. */
interface Family extends IDataObject {
	family: string;
	label: string;
	/** `tried`: the status path is looked for with the first job; `no`: a setting is needed, or none was found. */
	waits: 'yes' | 'tried' | 'no';
	how: string;
	missing: string[];
}

/** Which families of jobs can be waited for, as far as that is known without starting one. */
function familiesOf(run: Run, creations: readonly CreateOperation[]): Family[] {
	return JOB_ROUTES.filter(({ list }) => !list).map((route) => {
		const own = creations.filter((creation) => startedWithOf(creation) === route.value);
		const paths = own.flatMap(({ path }) => (typeof path === 'string' ? [] : [path.openPoint]));
		const unset = [...new Set(paths)].filter((name) => run.service.path(name) === undefined);
		const { waits, how } = waitingFor(run, route);
		const { path } = route;
		const needed = waits === 'no' && typeof path !== 'string' ? [...unset, path.openPoint] : unset;
		const missing = needed.map((name) => openPoint(name)?.setting?.label ?? name);
		return { family: route.value, label: route.label, waits, how, missing };
	});
}

function waitingFor(
	{ service, account }: Run,
	{ value, path, mediaTypes }: JobRoute,
): Pick<Family, 'waits' | 'how'> {
	if (typeof path === 'string') return { waits: 'yes', how: `Documented: ${path}` };
	const set = service.path(path.openPoint);
	if (set !== undefined) {
		return pathWithId(set, 'x') === undefined
			? { waits: 'no', how: 'The path in the credential has no place for {job_id}' }
			: { waits: 'yes', how: 'Set in the credential' };
	}
	const learned = account.statuses.of(value);
	if (learned) return { waits: 'yes', how: `Seen with an earlier job: ${wayOf(learned)}` };
	const ways = ladderFor({ mediaTypes });
	if (ways.length === 0) return { waits: 'no', how: 'Its path is not documented' };
	const tried = ways.map((way) => String(way.path)).join(', ');
	return account.statuses.hasFailed(value)
		? { waits: 'no', how: `An earlier job was found nowhere: ${tried}` }
		: { waits: 'tried', how: `Looked for with the first job: ${tried}` };
}

const wayOf = ({ step, path }: Learned): string => path ?? String(routeNamed(step)?.path ?? step);

function summaryOf(
	rows: readonly Row[],
	failed: readonly Row[],
	families: readonly Family[],
): string {
	const asked = rows.filter(({ answers }) => answers !== null);
	const named = (isOne: (one: Family) => boolean) =>
		families
			.filter(isOne)
			.map(({ label }) => label)
			.join(', ');
	const ready = named(({ waits, missing }) => waits === 'yes' && missing.length === 0);
	const tried = named(({ waits }) => waits === 'tried');
	const needy = named(({ missing }) => missing.length > 0);
	const refused = failed
		.map(({ name, status }) => `${name} (${String(status ?? 'no answer')})`)
		.join('; ');
	const parts = [
		failed.length === 0
			? `All ${asked.length} requests succeeded.`
			: `${failed.length} of ${asked.length} requests failed: ${refused}.`,
		`The node can wait for: ${ready}.`,
		tried && `Where the status is read will be found out with the first job: ${tried}.`,
		needy && `Needs a setting: ${needy}.`,
	];
	return parts.filter(Boolean).join(' ');
}
