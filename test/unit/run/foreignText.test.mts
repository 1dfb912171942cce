import { hint, info, nodeError, withDetailsBelow } from '../../../nodes/shared/run/messages.ts';
import { ServiceError } from '../../../nodes/shared/service/serviceError.ts';

/** n8n's editor shows the description of an error as HTML, and so it does hints. */

const CONTEXT = { getNode: () => ({}) as never };
const LINK = '<a href="https://evil.example/login">Sign in again</a>';

test('no text of others is a link there: only our own is', () => {
	const told = {
		message: 'The service denied access',
		description: `The service said: ${LINK}`,
		outcome: 'refused',
	} as const;
	const error = nodeError(CONTEXT, new ServiceError(told), { details: [`Row 2, "${LINK}": done`] });
	const links = (text: unknown) => [...String(text).matchAll(/<a /g)].length;
	expect(links(error.description)).toBe(1);
	expect(error.description).toContain('evil.example');
	expect(links(withDetailsBelow(error).description)).toBe(1);
	expect(error.description).toContain('<br>Row 2, "');
});

test.each([hint, info])('nor in a hint: %p', (tell) => {
	const told: string[] = [];
	const context = {
		addExecutionHints: ({ message }: { message: string }) => told.push(message),
	};
	tell(
		{ context, said: new Set() } as never,
		`Row 1, "${LINK}": <img src="https://evil.example/x.png">`,
	);
	expect(told.join()).not.toContain('<');
	expect(told.join()).toContain('Sign in again');
});

test('a text of a megabyte is cut, in the message and in each of the details', () => {
	const long = 'x'.repeat(1_000_000);
	const error = nodeError(CONTEXT, new Error(`The service denied access: ${long}`), {
		details: [long],
	});
	expect(error.message.length).toBeLessThan(5000);
	expect(error.messages.join('').length).toBeLessThan(9000);
});
