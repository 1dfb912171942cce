import { toldBy } from '../../support/toldBy.mts';
import { IMAGE } from '../../support/virtualImages.mts';
import { VirtualN8n, type ExecutionOptions } from '../../support/virtualRun.mts';

/** What is secret does not come back to the user, as it is, percent-encoded or in base64, nor is it in n8n's memory. */

const KEY = 'mg_sandbox_a+b<c>d&e/f=0123456789';

const PERCENT = encodeURIComponent(KEY);

const BASE64 = Buffer.from(KEY).toString('base64');

/** With a slash as PHP writes it, and with escapes as Go writes them. */
const ESCAPED = KEY.replace('/', '\\/').replace(
	/[<>&]/g,
	(sign) => `\\u00${sign.charCodeAt(0).toString(16)}`,
);

/** All that the user sees of a run whose request is answered so, and what n8n stores. */
async function shown(
	n8n: VirtualN8n,
	answer: { status: number; body: string },
	more: Partial<ExecutionOptions> = {},
): Promise<string> {
	const fault = { kind: 'status', contentType: 'application/json', ...answer } as const;
	n8n.state.faults.add({ match: { method: 'POST' }, fault });
	const { items, error, hints, messages, memory } = await n8n.run({
		items: [{}],
		parameters: IMAGE,
		...more,
	});
	return JSON.stringify([items, toldBy(error), hints, messages, memory]);
}

test.each([
	['an error', 400, `{"success":false,"error":"Key ${KEY} is wrong"}`],
	['escapes', 400, `{"success":false,"error":"Key ${ESCAPED} is wrong"}`],
	['details', 400, `{"success":false,"error":"No","details":{"${KEY}":"${KEY}"}}`],
	['a creation', 200, `{"success":true,"data":{"key":"${KEY}","status":"failed"}}`],
	['an address', 400, `{"success":false,"error":"No: https://a.example/?key=${PERCENT}"}`],
	['a page', 502, `<html><a href="/?key=${PERCENT}">${KEY}</a></html>`],
	['base64', 400, `{"success":false,"error":"Bad key ${BASE64}"}`],
])('%s with the key', async (_, status, body) => {
	const text = await shown(new VirtualN8n({ settings: { key: KEY } }), { status, body });
	expect(text).toContain('***');
	for (const form of ['0123456789', BASE64]) expect(text).not.toContain(form);
});

const OWN = 'mg_0123456789abcdef';

test.each<[string, string, string?]>([
	['apiKey', OWN],
	['authToken', OWN],
	['sessionToken', OWN],
	['csrfToken', OWN],
	['apiKey', `Bearer ${OWN}`],
	['sessionToken', `sessionid=${OWN}`],
	['apiKey', 'bXlfa2V5X29mX21pbmU==', 'bXlfa2V5X29mX21pbmU=='],
])('%s %j of the credential', async (name, entered, own = OWN) => {
	const body = `{"success":false,"error":"No such user: ${own}"}`;
	const text = await shown(new VirtualN8n({}, { [name]: entered }), { status: 400, body });
	expect(text).toContain('No such user: ***');
	expect(text).not.toContain(own.slice(0, 18));
});

describe.each(['logIn', 'register'])('the password of Session > %s', (operation) => {
	test.each(['correct-horse-battery', 'hunter2', 'p+s w/rd'])('%s', async (password) => {
		const quoted = JSON.stringify(password).slice(1, -1);
		const account = { username: 'alice', email: 'alice@mail.example', password };
		const parameters = { resource: 'session', operation, ...account };
		for (const [status, body] of [
			[400, `{"success":false,"error":"Wrong password ${quoted} for alice"}`],
			[400, `{"success":false,"error":"No","details":{"password":"${quoted} is wrong"}}`],
			[403, `{"detail":"password=${encodeURIComponent(password)}"}`],
			[500, `<p>{'username': 'alice', 'password': '${password}'}`],
			[200, `{"token":"t-1","user":{"username":"alice","password":"${quoted}"}}`],
		] as const) {
			const text = await shown(new VirtualN8n(), { status, body }, { kind: 'account', parameters });
			expect(text).toContain('***');
			for (const form of [
				password,
				JSON.stringify(quoted).slice(1, -1),
				encodeURIComponent(password),
			])
				expect(text).not.toContain(form);
		}
	});
});
