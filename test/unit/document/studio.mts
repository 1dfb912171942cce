import type { IDataObject } from 'n8n-workflow';

import type { JournalEntry } from '../../../sandbox/journal.mts';
import type { SandboxSettingsInput } from '../../../sandbox/settings.mts';
import { BASE_URL } from '../../support/virtualNetwork.mts';
import { VirtualN8n, type Execution } from '../../support/virtualRun.mts';
import { fullRequest, type Values } from './cases.mts';
import { savedWith } from './nodeForm.mts';
import { CREATIONS, type Creation } from './operations.mts';

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
	private readonly made = new Map<string, Values>();

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
		const execution = await this.n8n.clock.run(
			this.n8n.execute({
				items: nodes.map(() => item),
				kind,
				parameters: (index) => nodes[index]!,
				...(evaluated && { evaluated }),
			}),
		);
		return { ...execution, sent: journal.entries.slice(before) };
	}

	/** Starts one job without waiting for it. */
	async create(creation: Creation, values: Values, { free, options, evaluated }: Given = {}) {
		const saved = { ...savedWith(creation, values, free), waitForCompletion: false };
		return await this.run(creation.kind, { ...saved, options }, evaluated);
	}

	/** The earlier job that an operation works on, and one of its takes; nothing where it works on none. */
	async sourceOf({ sources, fields }: Pick<Creation, 'sources' | 'fields'>): Promise<Values> {
		const [earlier = 'generate'] = sources;
		const isNamed = fields.some(({ type }) => type === 'source');
		if (sources.length === 0 && !isNamed) return {};
		const known = this.made.get(earlier) ?? (await this.make(earlier));
		this.made.set(earlier, known);
		const { source, audio_id } = known;
		const takes = fields.some(({ name }) => name === 'audio_id');
		return { source, ...(takes && { audio_id }) };
	}

	private async make(id: string): Promise<Values> {
		const creation = CREATIONS.find(({ row }) => row === `music: ${id}`)!;
		const values = fullRequest(creation, await this.sourceOf(creation));
		const { items, error } = await this.run(creation.kind, savedWith(creation, values));
		if (error) throw error;
		const { jobId, audioId } = items[0]!.json;
		return { source: jobId, audio_id: audioId };
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

export { BASE_URL };
