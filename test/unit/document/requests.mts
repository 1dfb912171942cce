import { fullRequest, type Values } from './cases.mts';
import { CREATIONS, type Creation } from './operations.mts';

/** Complete requests, with the earlier job that they work on and one of its takes; each such job is made once. */
export class Requests {
	private readonly made = new Map<string, Values>();

	/** @param make starts a job, waits for it, and gives `source` and `audio_id` */
	constructor(private readonly make: (creation: Creation, values: Values) => Promise<Values>) {}

	/** With all fields that go together, and these values. */
	async of(creation: Creation, given: Values = {}): Promise<Values> {
		const source = await this.sourceOf(creation);
		const values = fullRequest(creation, { ...source, ...given });
		return creation.sources.length > 0 ? { source: source.source, ...values } : values;
	}

	private async sourceOf({ sources, fields }: Creation): Promise<Values> {
		const [id = 'generate'] = sources;
		const isNamed = fields.some(({ type }) => type === 'source');
		if (sources.length === 0 && !isNamed) return {};
		const earlier = CREATIONS.find(({ row }) => row === `music: ${id}`)!;
		const known = this.made.get(id) ?? (await this.make(earlier, await this.of(earlier)));
		this.made.set(id, known);
		const { source, audio_id } = known;
		return { source, ...(fields.some(({ name }) => name === 'audio_id') && { audio_id }) };
	}
}
