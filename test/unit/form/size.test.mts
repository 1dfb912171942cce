import { CREDENTIAL, nodeType } from '../../support/product.mts';

const ACTING = ['image', 'video', 'music', 'account'] as const;

/** With room for another family: n8n keeps the descriptions in memory, and sends them to every editor. */
const bytes = (descriptions: unknown) => Buffer.byteLength(JSON.stringify(descriptions));

test('the descriptions of the four nodes that act are at most 120 KB', () => {
	const sizes = ACTING.map((kind) => bytes(nodeType(kind).description));
	expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(120_000);
});

/** What all nodes have that wait for jobs. */
const WAITING = ['waitForCompletion', 'downloadMedia', 'options', 'durableRole', 'toolDescription'];

test('the form of Video, without what waits for its jobs, is at most 32 KB', () => {
	const { properties } = nodeType('video').description;
	expect(bytes(properties.filter(({ name }) => !WAITING.includes(name)))).toBeLessThanOrEqual(
		32_000,
	);
});

test('that of the trigger is at most 4 KB', () => {
	expect(bytes(nodeType('trigger').description)).toBeLessThanOrEqual(4000);
});

test('that of the credential is at most 19 KB', () => {
	expect(bytes(CREDENTIAL)).toBeLessThanOrEqual(19_000);
});

test('they are data and nothing else', () => {
	const { description } = nodeType('video');
	expect(JSON.parse(JSON.stringify(description))).toStrictEqual(description);
});

/** n8n before 2.0 refuses a workflow with a node one of whose conditions it cannot resolve. */
test('a condition names a parameter of the form, or begins with a slash', () => {
	for (const kind of ACTING) {
		const { properties } = nodeType(kind).description;
		const names = new Set(properties.map(({ name }) => name));
		const conditions = properties.flatMap(({ displayOptions = {} }) =>
			Object.values(displayOptions).flatMap((rule) => Object.keys(rule as object)),
		);
		expect(conditions.filter((one) => !/^[@/]/.test(one) && !names.has(one))).toEqual([]);
	}
});
