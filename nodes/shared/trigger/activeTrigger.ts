import type { IPollFunctions } from 'n8n-workflow';

import type { Clock } from '../clock/clock';
import { fingerprint } from '../jobs/ledger';
import { FaultsInARow, type Cause } from './faults';
import { isEmpty, type TriggerMemory } from './memory';
import { SharedReads } from './triggerService';

/** How many different notes go to n8n's log at most. */
const MOST_TOLD = 100;

/** One poll in this many reads the lists to their end. */
const THOROUGH_EVERY = 30;

/** A try to publish a workflow within this time of the last goes on with it, in ms: a poll takes up to half of it. */
const ONE_TRY_MS = 600_000;

/** The last try of a person to publish a workflow, in this process. */
let lastTry: { active: ActiveTrigger; account: string; reads: SharedReads; at: number } | undefined;

/** What this process knows of an active trigger; n8n registers it anew after each change. */
export class ActiveTrigger {
	readonly faults = new FaultsInARow();

	/** What the last poll remembered and, if it found nothing, what n8n had stored before it. */
	private last?: { stored?: string; memory: TriggerMemory };
	private polls = 0;

	/** The last poll did not reach the end of the lists. */
	hasMore = false;

	/** n8n polls with one context until it registers the trigger anew; its scheduler makes a new one for each poll. */
	hasLastingContext = false;

	private turn?: object;
	private readonly told = new Set<string>();

	/** Begins a poll; `undefined` while another is under way, unless this one cannot wait. */
	begin(cannotWait: boolean): object | undefined {
		if (this.turn && !cannotWait) return undefined;
		this.turn = {};
		return this.turn;
	}

	end(turn: object): void {
		if (this.turn === turn) this.turn = undefined;
	}

	get isUnderWay(): boolean {
		return this.turn !== undefined;
	}

	/** Whether a poll still has its turn: another that could not wait may have taken it. */
	isOn = (turn: object) => this.turn === turn;

	/** Whether this poll reads the lists to their end: the first in a process, some later ones, and until that is done. */
	isThorough = () => this.polls++ % THOROUGH_EVERY === 0 || this.hasMore;

	/** What a person's tries to publish have read: each goes on with the pages of the last, until one succeeds. */
	readsOfTries(account: string, clock: Clock): SharedReads {
		const at = clock.now();
		const last = lastTry;
		const isOfThis = last?.active === this && last.account === account;
		const goesOn = isOfThis && Math.abs(at - last.at) < ONE_TRY_MS;
		const reads = goesOn ? last.reads : new SharedReads(clock);
		lastTry = { active: this, account, reads, at };
		return reads;
	}

	endTries(): void {
		if (lastTry?.active === this) lastTry = undefined;
	}

	/**
	 * What is remembered, given what n8n has stored. That may be out of date: some versions of n8n do not store what
	 * a poll without items remembers; with cursors in its database, n8n does not even store what the first poll
	 * remembers; and once the node has another name, nothing is stored under it.
	 */
	recall(stored: TriggerMemory): TriggerMemory {
		if (!this.last) return stored;
		const isLast = isEmpty(stored) || this.last.stored === fingerprint(stored);
		return isLast ? this.last.memory : stored;
	}

	/** @param hasItems the poll found something: then n8n stores what it remembers */
	keep(stored: TriggerMemory, memory: TriggerMemory, hasItems: boolean): void {
		this.last = { memory, ...(hasItems ? {} : { stored: fingerprint(stored) }) };
	}

	tellOnce(context: IPollFunctions, text: string): void {
		if (this.told.has(text) || this.told.size >= MOST_TOLD) return;
		this.told.add(text);
		log(context, text);
	}
}

const triggers = new Map<string, ActiveTrigger>();

export function activeTriggerOf(context: IPollFunctions): ActiveTrigger {
	const key = `${context.getWorkflow().id} ${context.getNode().id}`;
	const known = triggers.get(key) ?? new ActiveTrigger();
	triggers.set(key, known);
	return known;
}

/**
 * Marks contexts with which n8n has polled. The mark is on the context itself, which n8n keeps when an update of the
 * package loads this file anew: without it, the workflow would seem to have just been switched on.
 */
const POLLED = Symbol.for('n8n-nodes-mediagen.polled');

/** Modes in which a person has just switched the workflow on: not a restart of n8n, not an edit. */
const SWITCHED_ON: readonly string[] = ['activate', 'create'];

/** Modes in which n8n goes on with a workflow by itself. */
const STARTED: readonly string[] = ['init', 'leadershipChange'];

/** Why n8n polls; to be asked once a poll. */
export function causeOf(context: IPollFunctions, active: ActiveTrigger): Cause {
	const { hasLastingContext } = active;
	active.hasLastingContext = POLLED in context;
	if (active.hasLastingContext) return 'time';
	Object.assign(context, { [POLLED]: true });
	const mode = context.getActivationMode();
	if (SWITCHED_ON.includes(mode)) return 'activation';
	if (STARTED.includes(mode)) return 'start';
	// n8n's scheduler calls each poll an update, but begins none before the last one has ended or was given up.
	return mode === 'update' && (hasLastingContext || active.isUnderWay) ? 'edit' : 'time';
}

export function log(context: IPollFunctions, text: string): void {
	context.logger.warn(`${context.getNode().name} (workflow ${context.getWorkflow().id}): ${text}`);
}
