import { jobOutput } from '../../../nodes/shared/output/jobOutput.ts';
import { buildRequest, fillPath } from '../../../nodes/shared/request/buildRequest.ts';
import { priceOf } from '../../../nodes/shared/spec/price.ts';
import { readRequest } from '../../../nodes/shared/request/readRequest.ts';
import { choice, more, required, text } from '../../../nodes/shared/spec/field.ts';
import { GENERATION_STATUS } from '../../../nodes/shared/spec/answers.ts';
import type { CreateOperation } from '../../../nodes/shared/spec/operation.ts';
import { creationNamed } from '../../support/operations.mts';

/** Names that every object has of its own accord: from outside they are names as all others. */

const NAMES = ['constructor', 'toString', 'hasOwnProperty', 'valueOf'];

const URL_1 = 'https://cdn.example/a.png';

const seen = (record: Record<string, unknown>) => ({
	id: 'g1',
	state: 'completed',
	record,
	waitedMs: 0,
});

describe.each(NAMES)('%s', (name) => {
	test('as the type of a generation', () => {
		const outputOf = (type: string) => {
			const record = { id: 'g1', status: 'completed', generation_type: type, image_url: URL_1 };
			const options = { simplify: true, resultField: '' };
			return jobOutput(seen(record), { route: GENERATION_STATUS }, options);
		};
		const { mediaType, ...rest } = outputOf('a type that nobody knows');
		expect(rest).toHaveProperty('mediaUrl', URL_1);
		// As that of any other type, field by field: none is taken from what every object has.
		const expected = { ...rest, mediaType: name };
		expect(mediaType).not.toBe(name);
		expect(outputOf(name)).toEqual(expected);
	});

	/** An operation with a field of that name, whose option decides the price. */
	const operation: CreateOperation = {
		...creationNamed('image.generate'),
		fields: [
			required(text('prompt', 'Prompt', '')),
			more(text(name, name, '')),
			more(choice('more', 'More', '', [name])),
		],
		price: { rows: [[{ more: [name] }, 3]] },
	};
	const read = (given: object) =>
		readRequest(operation, (parameter, fallback) => {
			if (parameter === 'additionalFields') return given;
			return parameter === 'prompt' ? 'x' : fallback;
		});
	const bodyOf = (values: Readonly<Record<string, unknown>>) =>
		buildRequest(operation, '/x', values, { field: () => undefined }).body;

	test('as a field that is not given', () => {
		const { values, problems } = read({});
		expect(problems).toEqual([]);
		expect(Object.keys(values)).toEqual(['prompt']);
		expect(bodyOf(values)).toEqual({ prompt: 'x' });
		expect(priceOf(operation, values)).toMatchObject({ credits: 3 });
	});

	test('as a field that is given', () => {
		const given = JSON.parse(`{"prompt":"x","${name}":"y"}`) as object;
		const { values, problems } = read(JSON.parse(`{"${name}":"y"}`) as object);
		expect(problems).toEqual([]);
		const body = bodyOf(values);
		expect(JSON.parse(JSON.stringify(body))).toEqual(given);
	});

	test('as a placeholder of a path', () => {
		expect(() => fillPath(`/x/{${name}}/`, {})).toThrow('is not an identifier');
	});
});

test('a record with such names is put out as it is, simplified or not', () => {
	const record = JSON.parse(
		`{"status":"completed","x":{"toString":1,"valueOf":2},"__proto__":{"id":3},"url":"${URL_1}"}`,
	) as Record<string, unknown>;
	expect(jobOutput(seen(record), {}, { simplify: false, resultField: '' })).toMatchObject({
		jobId: 'g1',
		url: URL_1,
	});
	expect(jobOutput(seen(record), {}, { simplify: true, resultField: '' }).mediaUrl).toBe(URL_1);
});
