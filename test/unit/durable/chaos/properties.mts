import type { INodeExecutionData } from 'n8n-workflow';

import { mostAtOnce } from '../../../support/mostAtOnce.mts';
import { IMAGES, PAUSE, resumptionsOf, type ChaosPlay } from './play.mts';

/** Holds in every play; gives what it finds wrong. */
type Property = (play: ChaosPlay) => string[];

/** What a creation says of itself that may have been made, or not. */
const DOUBT = 'it may exist, and may have been paid for';

/**
 * - `unparked`: killed before it was parked
 * - `crashed`: killed as it ran again, with the results
 * - `orphaned`: killed as everyone who works for it was awake; a person has retried one of them
 * - `whole`: n8n has brought it to its end by itself
 */
export type Fate = 'unparked' | 'crashed' | 'orphaned' | 'whole';

export function fateOf({ atKill, engine, id }: ChaosPlay): Fate {
	// The kill came before it was stored.
	if (!engine.store.rows.has(id)) return 'unparked';
	if (atKill?.isOrphaned) return 'orphaned';
	if (atKill?.status !== 'running') return 'whole';
	return atKill.resumed === 0 ? 'unparked' : 'crashed';
}

const isWhole = (play: ChaosPlay) => ['whole', 'orphaned'].includes(fateOf(play));

const itemsOf = ({ engine, id }: ChaosPlay): INodeExecutionData[] =>
	engine.store.read(id)!.resultData.runData[IMAGES]?.[0]?.data?.main[0] ?? [];

/** What has become of it, item by item, is what was ordered: in order, and each of one job. */
const itemsInOrder: Property = (play) => {
	const { engine, id, plan } = play;
	if (!isWhole(play)) return [];
	const { status } = engine.store.row(id);
	const { error } = engine.store.read(id)!.resultData;
	if (status === 'error' && error?.message.includes(DOUBT) && !plan.continueOnFail) {
		return mayDoubt(play) ? [] : [`it fails in doubt: ${error.message}`];
	}
	if (status !== 'success') return [`it is ${status}: ${error?.message} ${error?.description}`];
	const ids = itemsOf(play).flatMap(({ json }) => json.jobId ?? []);
	return [
		...wrongIn(play),
		...(new Set(ids).size < ids.length ? ['two items are of one job'] : []),
	];
};

function wrongIn(play: ChaosPlay): string[] {
	const { prompts } = play.plan;
	const items = itemsOf(play);
	if (items.length !== prompts.length) return [`${items.length} items`];
	return items.flatMap(({ json, pairedItem }, index) => {
		const pair = typeof pairedItem === 'object' && 'item' in pairedItem ? pairedItem.item : -1;
		const wrongPair = pair === index ? [] : [`item ${index} is paired with ${pair}`];
		if (json.error !== undefined) {
			const isDoubt = String(json.error).includes(DOUBT) && mayDoubt(play);
			return isDoubt ? wrongPair : [...wrongPair, `item ${index}: ${String(json.error)}`];
		}
		const job = play.engine.state.jobs.find(String(json.jobId));
		const isRight = json.status === 'completed' && job?.body.prompt === prompts[index];
		return isRight ? wrongPair : [...wrongPair, `item ${index} is ${JSON.stringify(json)}`];
	});
}

/** Only a creation that was under way at a kill may be. How often one is, is counted (`doubtsIn`). */
const mayDoubt = ({ plan }: ChaosPlay) => plan.kill !== undefined;

/** Items whose creation stays in doubt. */
export const doubtsIn = (play: ChaosPlay): number =>
	itemsOf(play).filter(({ json }) => String(json.error).includes(DOUBT)).length;

/** As many jobs are paid for as there are items; in doubt, one may be there or not. */
const paidOnce: Property = (play) => {
	const { engine, id } = play;
	const charges = engine.state.account.charges.length;
	if (fateOf(play) === 'unparked') return charges > 0 ? [`unparked, and ${charges} charges`] : [];
	const ordered = play.plan.prompts.length;
	const { error } = engine.store.read(id)!.resultData;
	const least = error || !isWhole(play) ? 0 : ordered - doubtsIn(play);
	return charges > ordered || charges < least ? [`${charges} charges for ${ordered} items`] : [];
};

const fiveRunning: Property = ({ engine }) => {
	const most = mostAtOnce({ jobs: engine.state.jobs.list });
	return most > 5 ? [`${most} jobs were running`] : [];
};

/** An orphan does when a person retries the newest red helper. */
const everythingEnds: Property = ({ left }) => left;

/** Each node that parks is resumed once, in its turn, and with its own results. */
const resumedOnce: Property = (play) => {
	const nodes = resumptionsOf(play).map(
		({ data }) => data.executionData.nodeExecutionStack[0]?.node.name,
	);
	const expected = play.plan.pauses ? [IMAGES, PAUSE] : [IMAGES];
	const error = play.engine.store.read(play.id)?.resultData.error;
	const isRight =
		isWhole(play) && !error
			? nodes.join() === expected.join()
			: expected.join().startsWith(nodes.join());
	return isRight ? [] : [`resumed at ${nodes.join()}`];
};

/** What waits for a time is not woken up before. */
const neverEarly: Property = (play) =>
	resumptionsOf(play).flatMap(({ at, data }) => {
		const [entry] = data.executionData.nodeExecutionStack;
		const isEarly = entry?.node.name === PAUSE && at < Date.parse(data.waitTill ?? '');
		return isEarly ? ['resumed while it waited for something else'] : [];
	});

const inDurableMode: Property = ({ engine }) =>
	engine.messages.filter((message) => message.includes('in process'));

const secret: Property = ({ isKeyStored, engine }) => {
	const isLogged = engine.messages.some((text) => text.includes(engine.state.settings.key));
	return isKeyStored || isLogged ? ['the key is stored'] : [];
};

const PROPERTIES: Record<string, Property> = {
	itemsInOrder,
	paidOnce,
	fiveRunning,
	everythingEnds,
	resumedOnce,
	neverEarly,
	inDurableMode,
	secret,
};

/** What is wrong with how a plan went, each with the name of the property. */
export function violations(play: ChaosPlay): string[] {
	return Object.entries(PROPERTIES).flatMap(([name, property]) =>
		property(play).map((text) => `${name}: ${text}`),
	);
}
