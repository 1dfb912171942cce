import fc from 'fast-check';

import { inCode } from '../../../nodes/shared/form/expressions.ts';

/** Values as code of an expression. */

const valueOf = (code: string): unknown => new Function(`return ${code}`)();

test('is the value, whatever is in its texts', () => {
	const hasProto = (value: unknown) => JSON.stringify(value).includes('__proto__');
	fc.assert(
		fc.property(fc.jsonValue(), (value) => {
			fc.pre(!hasProto(value));
			expect(valueOf(inCode(value))).toEqual(JSON.parse(JSON.stringify(value)));
		}),
	);
});

test.each([
	[
		{ song: { generate: 'Generate a song · 12 credits' } },
		"{song:{generate:'Generate a song · 12 credits'}}",
	],
	[["n8n's", '"both"', null, -27, false], String.raw`['n8n\'s','"both"',null,-27,false]`],
	[{ '16:9': [1] }, "{'16:9':[1]}"],
])('needs no quotation marks that JSON would escape (%#)', (value, code) => {
	expect(inCode(value)).toBe(code);
});
