import { plainPrompt } from '../../../nodes/shared/orders/history.ts';

test.each([
	['A cat', 'a cat'],
	['  a  CAT\n\ton a mat ', 'a cat on a mat'],
	['', ''],
	[7, ''],
	[undefined, ''],
])('%j is compared as %j', (prompt, plain) => {
	expect(plainPrompt(prompt)).toBe(plain);
});
