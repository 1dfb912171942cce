import type { IDataObject } from 'n8n-workflow';

import type { JournalEntry } from '../../../sandbox/journal.mts';
import type { SandboxSettingsInput } from '../../../sandbox/settings.mts';
import { VirtualN8n, type Execution } from '../../support/virtualRun.mts';
import type { Values } from './cases.mts';
import { savedWith } from './nodeForm.mts';
import type { Creation } from './operations.mts';
import { Requests } from './requests.mts';

/** Runs operations of the document in virtual time, with an account that can pay for everything. */

export interface Outcome extends Execution {
	/** The requests of this run alone. */
	sent: JournalEntry[];
}

interface Given {
	free?: object;
	options?: IDataObject;
	/** In place of what is saved: what only an expression can give. */
	evaluated?: IDataObject;
}

const SETTINGS: SandboxSettingsInput = {
	credits: { purchased: 10_000_000, welcome: 0 },
	jobMs: { min: 0, max: 0 },
	queuedMs: 0,
	shapes: { music: { upload: 'url' } },
};

export class Studio {
	readonly n8n: VirtualN8n;
	readonly requests = new Requests(async ({ kind, ...creation }, values) => {
		const { items, error } = await this.run(kind, savedWith({ kind, ...creation }, values));
		if (error) throw error;
		const { jobId, audioId } = items[0]!.json;
		return { source: jobId, audio_id: audioId };
	});

	/** @param credential settings besides paths and the way of files */
	constructor(settings: SandboxSettingsInput = {}, credential: IDataObject = {}) {
		this.n8n = new VirtualN8n({ settings: { ...SETTINGS, ...settings } });
		const { openPaths } = this.n8n.state.settings;
		Object.assign(this.n8n.credential, openPaths, { uploadAs: 'url', ...credential });
	}

	/** Runs a node over one item for each of the parameters; they are alike. */
	async run(
		kind: Creation['kind'],
		saved: IDataObject | IDataObject[],
		evaluated?: IDataObject,
		item: IDataObject = {},
	): Promise<Outcome> {
		const { journal } = this.n8n.state;
		const before = journal.entries.length;
		const nodes = [saved].flat();
		const execution = await this.n8n.run({
			items: nodes.map(() => item),
			kind,
			parameters: (index) => nodes[index]!,
			...(evaluated && { evaluated }),
		});
		return { ...execution, sent: journal.entries.slice(before) };
	}

	/** Starts one job without waiting for it. */
	async create(creation: Creation, values: Values, { free, options, evaluated }: Given = {}) {
		const saved = { ...savedWith(creation, values, free), waitForCompletion: false };
		return await this.run(creation.kind, { ...saved, options }, evaluated);
	}

	/** Where the creation is sent. */
	pathOf({ path, pathSetting = '', operation }: Creation): string {
		const open = this.n8n.state.settings.openPaths[pathSetting] ?? '';
		return path ?? open.replace('{operation}', operation);
	}
}

/** What a request consists of, without what every request has. */
export const told = ({ method, path, query, body }: JournalEntry) => ({
	method,
	path,
	query,
	body,
});

export const textOf = ({ error }: Pick<Execution, 'error'>) =>
	error && `${error.message} ${error.description ?? ''}`;

/** Without what is read beside it, free of charge. */
export const ordered = (sent: Outcome['sent']) => sent.filter(({ method }) => method !== 'GET');
