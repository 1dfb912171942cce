import { SUCCESS, type Condition, type Field, type Value } from '../../document.mts';
import {
	fullRequest,
	IMAGE_URL,
	inside,
	isRequired,
	meets,
	otherwise,
	outside,
	usable,
	type Case,
	type Values,
} from './cases.mts';
import { placesOf, savedWith } from './nodeForm.mts';
import { CREATIONS, freeOf, OPEN, SHOWN, startedWith, type Creation } from './operations.mts';
import { ordered, Studio, textOf, told } from './studio.mts';

/**
 * Walk 2: what is inside the document's bounds is sent as it is, in one request; what is outside is refused
 * before any request, by the field's name.
 */

/** What a form leaves out while a switch is off: the service decides it, or takes it from the original. */
const LEFT_OUT: ReadonlyArray<{ when: Condition; fields: readonly string[] }> = [
	{ when: { custom_mode: false }, fields: ['style', 'title'] },
	{ when: { default_param_flag: false }, fields: ['style'] },
];

/** Defaults that a form has on purpose, in place of the document's: nobody publishes by accident. */
const OUR_DEFAULTS: Values = { prompt_directory_optin: false };

let studio: Studio;
beforeAll(() => void (studio = new Studio()));

/** A request with all fields, and these values. */
const requestOf = (creation: Creation, given?: Values) => studio.requests.of(creation, given);

/** What is sent for these values. */
function bodyOf({ fixed }: Creation, values: Values): Values {
	const left = LEFT_OUT.filter(({ when }) => meets(when, values)).flatMap(({ fields }) => fields);
	const entries = Object.entries(values).filter(([name]) => !left.includes(name));
	return { ...Object.fromEntries(entries), ...fixed };
}

/** Runs it, and checks that exactly this has been ordered. Gives what the service has answered. */
async function sends(creation: Creation, values: Values): Promise<number | null | undefined> {
	const { sent } = await studio.create(creation, values);
	const path = studio.pathOf(creation);
	expect(ordered(sent).map(told)).toEqual([
		{ method: 'POST', path, query: {}, body: bodyOf(creation, values) },
	]);
	return ordered(sent)[0]?.status;
}

/** Runs it, and checks that nothing has been sent, and that the error names the field. */
async function refuses(
	creation: Creation,
	values: Values,
	field: string,
	evaluated?: Record<string, Value>,
): Promise<void> {
	const outcome = await studio.create(creation, values, { evaluated });
	expect(outcome.sent).toEqual([]);
	const names = [field, ...labelsOf(creation, field)];
	expect(textOf(outcome)).toMatch(new RegExp(`\\b(${names.join('|')})\\b`));
}

/** What the form calls a field, without its unit. */
const labelsOf = (creation: Creation, field: string) =>
	placesOf(creation, field).map(({ property }) => property.displayName.replace(/ \(.*/, ''));

const casesOf = (of: (field: Field) => Case[]) =>
	SHOWN.flatMap((creation) =>
		usable(creation)
			.flatMap(of)
			.map((one) => ({ creation, name: creation.name, ...one })),
	);

test.each(SHOWN)('$name: all its fields are sent as they are', async (creation) => {
	expect(await sends(creation, await requestOf(creation))).toBe(SUCCESS.creation);
});

test.each(CREATIONS)('$name: its item says how its state is read', async (creation) => {
	const free = freeOf(creation);
	const { items, error } = await studio.create(creation, await requestOf(creation), { free });
	expect(error?.message).toBeUndefined();
	const { details, ...item } = items[0]!.json;
	expect({ ...item, ...Object(details) }).toMatchObject({ startedWith: startedWith(creation) });
	const { property } = placesOf(
		{ kind: creation.kind, resource: 'job', operation: 'get' },
		'startedWith',
	)[0]!;
	expect(property.options).toContainEqual(
		expect.objectContaining({ value: startedWith(creation) }),
	);
});

/** What the node asks for although the document does not require it: without, nothing says what is made. */
const isNeeded = ({ kind }: Creation, { name, type }: Field) =>
	['source', 'file'].includes(type) || name === (kind === 'image' ? 'prompt' : 'audio_id');

/** What may be sent of a field that nobody has set: its default, or else the first value that does nothing odd. */
function unasked({
	name,
	type,
	default: start,
	values,
	shown,
	min = 0,
	max = 0,
}: Field): unknown[] {
	if (start !== undefined) return [OUR_DEFAULTS[name] ?? start];
	if (type === 'number') return Array.from({ length: max - min + 1 }, (_, index) => min + index);
	return type === 'toggle' ? [false] : [...(values ?? shown ?? [])];
}

test.each(SHOWN)('$name: of what is not set, the documented default', async (creation) => {
	const { fields, fixed } = creation;
	const all = await requestOf(creation);
	const needed = fields.filter(
		(field) => isRequired(field, { ...all, ...fixed }) || isNeeded(creation, field),
	);
	const names = ['source', ...needed.map(({ name }) => name)];
	const values = Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)));
	const { sent } = await studio.create(creation, values);
	expect(ordered(sent)).toHaveLength(1);
	const body = ordered(sent)[0]!.body as Values;
	expect(body).toMatchObject({ ...values, ...fixed });
	// Left out, the service's own default would count.
	for (const { name } of fields.filter((field) => field.name in OUR_DEFAULTS))
		expect(body[name]).toEqual(OUR_DEFAULTS[name]);
	for (const name of Object.keys(body).filter(
		(one) => !(one in values) && !(one in { ...fixed }),
	)) {
		const field = fields.find((one) => one.name === name);
		expect({ name, sent: field && unasked(field) }).toEqual({
			name,
			sent: expect.arrayContaining([body[name]]),
		});
	}
});

describe('inside', () => {
	test.each(casesOf(inside))('$name: $field $shown', async ({ creation, field, value }) => {
		const status = await sends(creation, await requestOf(creation, { [field]: value }));
		// The service knows no such take.
		expect(status).toBe(field === 'audio_id' ? 400 : SUCCESS.creation);
	});
});

describe('outside', () => {
	test.each(casesOf(outside))('$name: $field $shown', async ({ creation, field, value }) => {
		await refuses(creation, await requestOf(creation, { [field]: value }), field);
	});
});

/** What is missing because an expression gave nothing, with the parameters around it. */
function lost(creation: Creation, values: Values, field: string): Record<string, Value> {
	const [place] = placesOf(creation, field);
	if (!place?.inside) return { [field]: '' };
	const saved = savedWith(creation, values)[place.inside] as Record<string, Value>;
	return { [place.inside]: { ...saved, [field]: '' } as never };
}

const REQUIRED = SHOWN.flatMap((creation) => {
	const own = usable(creation)
		.filter(({ required }) => required)
		.map((field) => ({ creation, name: creation.name, field: field.name }));
	return creation.sources.length > 0
		? [...own, { creation, name: creation.name, field: 'source' }]
		: own;
});

describe('required', () => {
	test.each(REQUIRED)('$name: $field', async ({ creation, field }) => {
		const values = await requestOf(creation);
		await refuses(creation, values, field, lost(creation, values, field));
	});

	const dependent = SHOWN.flatMap((creation) =>
		creation.fields.flatMap(({ name: field, required }) =>
			typeof required === 'object' && usable(creation).some(({ name }) => name in required)
				? [{ creation, name: creation.name, field, required }]
				: [],
		),
	);

	test.each(dependent)(
		'$name: $field only with $required',
		async ({ creation, required, field }) => {
			const values = await requestOf(creation, otherwise(required, creation.fields));
			expect(values).not.toHaveProperty(field);
			await sends(creation, values);
		},
	);

	const paired = SHOWN.flatMap((creation) =>
		creation.fields.flatMap(({ name: field, requiredWith }) =>
			requiredWith ? [{ creation, name: creation.name, field, requiredWith }] : [],
		),
	);

	test.each(paired)(
		'$name: $field with $requiredWith',
		async ({ creation, field, requiredWith }) => {
			const values = await requestOf(creation);
			expect(values).toHaveProperty(requiredWith);
			await refuses(creation, values, field, lost(creation, values, field));
		},
	);
});

describe('for some requests only', () => {
	const limited = SHOWN.flatMap((creation) =>
		creation.fields.flatMap((field) => {
			const condition = field.usedOnlyWith ?? field.onlyFor;
			return condition ? [{ creation, name: creation.name, field: field.name, condition }] : [];
		}),
	);

	test.each(limited)('$name: $field with $condition', async ({ creation, field, condition }) => {
		const all = await requestOf(creation, otherwise(condition, creation.fields));
		const values = { ...all, [field]: fullRequest(creation)[field] };
		const { sent, hints, error } = await studio.create(creation, values);
		const body = ordered(sent)[0]?.body as Values | undefined;
		// Not sent, or sent with a word about it.
		const said = [...hints.map(({ message }) => message), error?.message ?? ''].join();
		const [name = ''] = labelsOf(creation, field);
		expect(field in (body ?? {}) ? said : name).toContain(name);
		expect(sent.length > 0 || said.includes(field)).toBe(true);
	});
});

describe('what the document does not show', () => {
	test.each(OPEN)('$name: fields as they are given', async (creation) => {
		const free = { prompt: 'a kite', seconds: 5, frames: [IMAGE_URL], loop: { from: 0.5 } };
		const { sent } = await studio.create(creation, {}, { free });
		const path = studio.pathOf(creation);
		expect(ordered(sent).map(told)).toEqual([{ method: 'POST', path, query: {}, body: free }]);
	});

	const withoutPath = CREATIONS.filter(({ path }) => path === undefined);

	test.each(withoutPath)('$name: no request without its path', async (creation) => {
		const { credential } = studio.n8n;
		const { pathSetting = '' } = creation;
		const path = credential[pathSetting];
		credential[pathSetting] = '';
		const outcome = await studio.create(creation, await requestOf(creation, { source: 'a job' }), {
			free: freeOf(creation),
		});
		credential[pathSetting] = path!;
		expect(outcome.sent).toEqual([]);
		expect(textOf(outcome)).toContain('MediaGen API credential');
	});
});
