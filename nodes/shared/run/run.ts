import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { MusicCatalog } from '../catalog/liveCatalog';
import type { JobSnapshot } from '../jobs/job';
import type { JobContext } from '../jobs/jobContext';
import type { Values } from '../spec/conditions';
import type { CallLimit } from '../service/callLimit';
import type { ServiceRequest } from '../service/request';
import type { ReadParameter } from '../request/readValues';
import type { Operation } from '../spec/types';
import type { RunOptions } from './readOptions';

/** What all items of one run of a node share: what its jobs share, and what a node needs besides. */
export interface Run extends JobContext {
	context: IExecuteFunctions;
	/** Keeps the downloads of a large batch in order: so many items at once, the others wait. */
	downloads: CallLimit;
	/** The jobs of the items that have been given out, by item, as last seen. */
	seen: Map<number, JobSnapshot>;
	/** Items whose jobs are completed without a URL of their result. */
	withoutUrl: Set<number>;
	/** The music catalog in a language, read once. */
	catalog(language: string): Promise<MusicCatalog>;
}

/** One item, read and validated: ready to be sent. */
export interface ItemPlan {
	itemIndex: number;
	/** What is carried out. */
	operation: Operation;
	values: Values;
	request: ServiceRequest;
	/** What the user had better know, though it can be sent; told before anything is. */
	warnings?: readonly string[];
	options: RunOptions;
	read: ReadParameter;
	/** Of an item that names no job to read: it goes on as it came. */
	passesOn?: INodeExecutionData;
}

/**
 * Carries out the plan of one item.
 *
 * @param goOn to be called when the next item may be begun, where that is before this one has ended
 */
export type Runner<O> = (
	run: Run,
	operation: O,
	plan: ItemPlan,
	goOn?: () => void,
) => Promise<INodeExecutionData[]>;
