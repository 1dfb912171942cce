import type { IDataObject } from 'n8n-workflow';

import { SIGN_IN_PATH, type Field } from '../../document.mts';
import { fullRequest } from './cases.mts';
import { placesOf, savedWith } from './nodeForm.mts';
import { READS } from './operations.mts';
import { nodeType } from '../../support/product.mts';
import { Studio, textOf, told } from './studio.mts';

/** Walk 2 for what makes no media: account, lists, states. */

type Reading = (typeof READS)[number];

const saved = (read: Reading, values: object, more: IDataObject = {}): IDataObject => ({
	...savedWith(read, { ...values }),
	...more,
});

/** Saved with a job's identifier where the path has a place for it. */
function parametersFor(read: Reading, values: object, jobId: string): IDataObject {
	const { startedWith } = read;
	if (!startedWith) return saved(read, values);
	const job = { startedWith, jobId: { __rl: true, mode: 'id', value: jobId } };
	// The record as the service has it.
	return saved(read, values, { ...job, options: { simplify: false } });
}

/** A job whose state can be read at each of the paths. */
const CREATED_WITH: Record<string, IDataObject> = {
	generation: {
		...{ resource: 'standardVideo', operation: 'generate', prompt: 'a kite' },
		...{ video_model: 'modelA', aspect_ratio: '16:9' },
	},
	vidA31: {
		...{ resource: 'vidA31', operation: 'generate', prompt: 'a kite' },
		...{ model: 'modelA', aspectRatio: 'Auto' },
	},
	videoStudio: {
		...{ resource: 'videoStudio', operation: 'generate' },
		...{ payload: '{"prompt":"a kite"}' },
	},
};

async function jobFor(studio: Studio, { startedWith = '' }: Reading): Promise<string> {
	const node = CREATED_WITH[startedWith];
	if (!node) return '';
	const { items, error } = await studio.run('video', { ...node, waitForCompletion: false });
	if (error) throw error;
	return String(items[0]!.json.jobId);
}

const sessionOf = ({ n8n }: Studio) => {
	const { id, csrfToken } = n8n.state.settings.session;
	return { sessionToken: id, csrfToken };
};

describe('each endpoint', () => {
	test.each(READS)('$method $path ($name)', async (read) => {
		const studio = new Studio();
		Object.assign(studio.n8n.credential, sessionOf(studio), { authToken: '' });
		const values = fullRequest(read);
		const jobId = await jobFor(studio, read);
		const { sent, items, error } = await studio.run(read.kind, parametersFor(read, values, jobId));
		const { method, path, body, query, disabledWith, authentication } = read;
		expect(sent.map(told)).toEqual([
			{
				method,
				path: path.replace(/\{\w+\}/, jobId),
				query: query
					? Object.fromEntries(Object.entries(values).map(([k, v]) => [k, String(v)]))
					: {},
				body: body && values,
			},
		]);
		const isRead = method === 'GET';
		expect(sent[0]!.status).toBe(disabledWith ?? read.success ?? (isRead ? 200 : sent[0]!.status));
		expect('authorization' in sent[0]!.headers).toBe(authentication === undefined);
		if (disabledWith) {
			expect(textOf({ error })).toContain('disabled');
			const { properties } = nodeType(read.kind).description;
			const words = JSON.stringify(properties.filter(({ name: one }) => one === 'operation'));
			expect(words).toContain(SIGN_IN_PATH);
			return;
		}
		expect(error).toBeUndefined();
		if (isRead && !read.answer) return;
		// A job that has not failed has no message of an error.
		const names = (read.answer ?? []).filter((name) => name !== 'error_message');
		const missing = names.filter((name) => !(name in items[0]!.json));
		expect(missing).toEqual([]);
	});
});

describe('without a value that is needed', () => {
	const needed = READS.flatMap((read) =>
		(read.authentication ? read.fields : []).map((field: Field) => ({
			read,
			name: read.name,
			field,
		})),
	);

	test.each(needed)('$name: $field.name', async ({ read, field }) => {
		const studio = new Studio();
		Object.assign(studio.n8n.credential, sessionOf(studio));
		const evaluated = { [field.name]: '' };
		const outcome = await studio.run(read.kind, saved(read, fullRequest(read)), evaluated);
		expect(outcome.sent).toEqual([]);
		const { displayName } = placesOf(read, field.name)[0]!.property;
		expect(textOf(outcome)).toContain(displayName);
	});
});

test('a password is hidden in the form, and in the error', async () => {
	const logIn = READS.find(({ name }) => name === 'log in')!;
	const { typeOptions } = placesOf(logIn, 'password')[0]!.property;
	expect(typeOptions?.password).toBe(true);
	const values = { username: 'a', password: 'SECRET' };
	const outcome = await new Studio().run(logIn.kind, saved(logIn, values));
	expect(textOf(outcome)).not.toContain('SECRET');
});
