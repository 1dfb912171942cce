import { createHash } from 'crypto';
import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { z } from 'zod/v3';

import { isNotSent, isRefusal, ServiceError } from '../service/serviceError';
import { NOT_FOUND } from '../spec/answers';

/** How many marks of a list are kept: two for each job that one reading can show, and some. */
const MOST_MARKS = 5000;

/** How many characters stand for a text: among thousands of texts, two are alike once in a million years. */
const MARK_LENGTH = 10;

/** The name of the marks in the node's static data. */
const NAME = 'jobs';

const schema = z.record(z.array(z.string()));

/** Marks by the key of the list that they come from; those that it has shown last are at the end. */
export type Marks = z.infer<typeof schema>;

/** What a trigger remembers: the ended jobs that were handed on, not wanted, or there from the start. */
export class Seen {
	private readonly kept = new Map<string, Set<string>>();

	/**
	 * @param staticData of the node, as n8n has stored it
	 * @param last what the last poll of this process remembered: n8n does not store that of each poll, and nothing under
	 * the new name of a node
	 */
	constructor(staticData: IDataObject, last: Marks = {}) {
		const stored = schema.catch({}).parse(staticData[NAME]);
		for (const [list, marks] of [...Object.entries(stored), ...Object.entries(last)]) {
			this.kept.set(list, new Set([...(this.kept.get(list) ?? []), ...marks]));
		}
	}

	/** Whether the list is watched. */
	isWatched = (list: string): boolean => this.kept.has(list);

	/** Whether one of the texts was added: identifiers of jobs, for instance. */
	hasAny = (...texts: string[]): boolean =>
		texts.map(markOf).some((mark) => [...this.kept.values()].some((marks) => marks.has(mark)));

	/** Watches the list from now on, and adds texts that it stands for. */
	add(list: string, ...texts: string[]): void {
		const marks = this.kept.get(list) ?? new Set();
		for (const mark of texts.map(markOf)) {
			// At the end, also if it was there.
			marks.delete(mark);
			marks.add(mark);
		}
		this.kept.set(list, marks);
	}

	/** Puts the marks of these lists into the static data; n8n stores it with the execution that the poll starts. */
	keepIn(staticData: IDataObject, lists: ReadonlyArray<{ key: string }>): Marks {
		const marks: Marks = {};
		for (const { key } of lists) {
			const kept = this.kept.get(key);
			if (kept) marks[key] = [...kept].slice(-MOST_MARKS);
		}
		// A copy, since n8n watches what is there for changes.
		staticData[NAME] = structuredClone(marks);
		return marks;
	}
}

const markOf = (text: string): string =>
	createHash('sha256').update(text).digest('base64url').slice(0, MARK_LENGTH);

/**
 * What has led to a poll: a person has switched the workflow on or published an edit, n8n has started, or a poll was
 * due.
 */
export type Cause = 'switchedOn' | 'edited' | 'started' | 'due';

/** Why a poll could not do all of its work; `noTurn`: other requests of the account came first. */
export interface Fault {
	error: unknown;
	kind: 'lasting' | 'passing' | 'noTurn';
}

/** How many polls in a row have a fault before a person is told, and after how many more again. */
const TOLD_AFTER = { lasting: 1, passing: 3 } as const;
const AGAIN_AFTER = 30;

/** One poll in this many is thorough. */
const THOROUGH_EVERY = 30;

/** What this process knows of a trigger; n8n registers it anew after each change. */
export class ActiveTrigger {
	/** What the last poll remembered. */
	marks?: Marks;

	/** The last poll left something to this one. */
	isBehind = false;

	/** The jobs whose status could not be read by the last poll: others come first. */
	unread: ReadonlySet<string> = new Set();

	/** This poll looks further down the lists: a job that took long may appear below many others. */
	isThorough = false;

	/** The context of the poll that is under way. */
	private current?: IPollFunctions;

	/** n8n polls with one context until it registers the trigger anew; its scheduler makes one for each poll. */
	private keepsContext = false;

	private polls = 0;
	private faultsInARow = 0;
	private readonly told = new Set<string>();

	/**
	 * Begins a poll; says why n8n polls, or `undefined` where another is under way. One that is under way with another
	 * context is from before n8n has registered the trigger anew, and hands on nothing any more.
	 */
	begin(context: IPollFunctions): Cause | undefined {
		if (this.isCurrent(context)) return undefined;
		this.current = context;
		this.polls += 1;
		// The first poll of a process, too: n8n may be restarted every night.
		this.isThorough = this.isBehind || this.polls % THOROUGH_EVERY === 1;
		this.keepsContext ||= POLLED in context;
		if (POLLED in context) return 'due';
		Object.assign(context, { [POLLED]: true });
		const mode = context.getActivationMode();
		if (['activate', 'create'].includes(mode)) return 'switchedOn';
		// n8n goes on with the workflow by itself.
		if (['init', 'leadershipChange'].includes(mode)) return 'started';
		return this.keepsContext ? 'edited' : 'due';
	}

	isCurrent = (context: IPollFunctions): boolean => this.current === context;

	end(context: IPollFunctions): void {
		if (this.isCurrent(context)) this.current = undefined;
	}

	/**
	 * Whether a person should be told of the fault of a poll now. It keeps n8n from activating the workflow or publishing
	 * the edit; at other times it makes a failed execution and starts the error workflow. When n8n starts, nobody is
	 * there to see it, and n8n would give up the trigger.
	 */
	isToBeTold(fault: Fault | undefined, cause: Cause): fault is Fault {
		if (!fault) this.faultsInARow = 0;
		if (!fault || cause === 'started') return false;
		if (cause === 'switchedOn') return true;
		if (cause === 'edited') return fault.kind === 'lasting';
		if (fault.kind === 'noTurn') return false;
		this.faultsInARow += 1;
		const since = this.faultsInARow - TOLD_AFTER[fault.kind];
		return since >= 0 && since % AGAIN_AFTER === 0;
	}

	/** Writes a line to n8n's log, unless it is there. */
	logOnce(context: IPollFunctions, text: string): void {
		if (!this.told.has(text)) log(context, text);
		this.told.add(text);
	}
}

/**
 * Marks contexts with which n8n has polled. The mark is on the context itself, which n8n keeps when an update of the
 * package loads this file anew: without it, the workflow would seem to have just been switched on.
 */
const POLLED = Symbol.for('n8n-nodes-mediagen.polled');

const triggers = new Map<string, ActiveTrigger>();

export function activeTriggerOf(context: IPollFunctions): ActiveTrigger {
	const key = `${context.getWorkflow().id} ${context.getNode().id}`;
	const known = triggers.get(key) ?? new ActiveTrigger();
	triggers.set(key, known);
	return known;
}

/**
 * The worst fault of the lists. An account may lack a list that is documented (404): the others can still be watched.
 *
 * @param lists how many lists were read
 */
export function faultOfLists(errors: readonly unknown[], lists: number): Fault | undefined {
	const isMissing = (error: unknown) => error instanceof ServiceError && error.status === NOT_FOUND;
	const others = errors.filter((error) => !isMissing(error));
	const told = others.length > 0 || errors.length < lists ? others : errors;
	const faults = told.map((error) => ({ error, kind: kindOf(error) }));
	const worst = (kind: Fault['kind']) => faults.find((fault) => fault.kind === kind);
	return worst('lasting') ?? worst('passing') ?? worst('noTurn');
}

function kindOf(error: unknown): Fault['kind'] {
	if (isNotSent(error)) return 'noTurn';
	return !(error instanceof ServiceError) || isRefusal(error) ? 'lasting' : 'passing';
}

/** Writes a line to n8n's log. */
export function log(context: IPollFunctions, text: string): void {
	context.logger.warn(`${context.getNode().name} (workflow ${context.getWorkflow().id}): ${text}`);
}
