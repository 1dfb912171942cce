import { VirtualN8n } from '../../support/virtualRun.mts';
import { toldBy } from '../../support/toldBy.mts';

/** The key does not come back to the user, as it is, percent-encoded or in base64. */

const KEY = 'mg_sandbox_a+b<c>d&e/f=0123456789';

const PERCENT = encodeURIComponent(KEY);

const [BASE64, HEADER] = [KEY, `Bearer ${KEY}`].map((text) => Buffer.from(text).toString('base64'));

/** All that the user sees of a run whose creation is answered so. */
async function shown(status: number, body: string): Promise<string> {
	const n8n = new VirtualN8n({ settings: { key: KEY } });
	const fault = { kind: 'status', status, body, contentType: 'application/json' } as const;
	n8n.state.faults.add({ match: { kind: 'create' }, fault });
	const parameters = { resource: 'image', operation: 'generate', size: '1:1', prompt: 'a cat' };
	const { items, error, hints, messages } = await n8n.clock.run(
		n8n.execute({ items: [{}], kind: 'image', parameters: () => parameters }),
	);
	return JSON.stringify([items, toldBy(error), hints, messages]);
}

test.each([
	['an error', 400, `{"success":false,"error":"Key ${KEY} is wrong"}`],
	['details', 400, `{"success":false,"error":"No","details":{"${KEY}":"${KEY}"}}`],
	['what is no JSON', 400, `Key ${KEY} is wrong`],
	['a creation', 200, `{"success":true,"data":{"key":"${KEY}","status":"failed"}}`],
	[
		'an address in an error',
		400,
		`{"success":false,"error":"No: https://a.example/?key=${PERCENT}"}`,
	],
	['a page', 502, `<html><a href="/?key=${PERCENT}">${KEY}</a></html>`],
	['a form of its own', 400, `{"detail":[{"authorization":"Bearer ${PERCENT}"}]}`],
	['base64', 400, `{"success":false,"error":"Bad key ${BASE64}"}`],
	['the base64 of a header', 400, `{"success":false,"error":"Bad header ${HEADER}"}`],
])('%s with the key', async (_, status, body) => {
	const text = await shown(status, body);
	expect(text).toContain('***');
	for (const form of ['0123456789', BASE64, HEADER]) expect(text).not.toContain(form);
});

const OWN = 'mg_0123456789abcdef';

test.each([
	['apiKey', OWN],
	['authToken', OWN],
	['sessionToken', OWN],
	['csrfToken', OWN],
	// Copied with the word before it.
	['apiKey', `Bearer ${OWN}`],
	['sessionToken', `sessionid=${OWN}`],
])('%s %j of the credential does not come back in an error', async (name, entered) => {
	const n8n = new VirtualN8n({}, { [name]: entered });
	const body = `{"success":false,"error":"No such user: ${OWN}"}`;
	const fault = { kind: 'status', status: 400, body, contentType: 'application/json' } as const;
	n8n.state.faults.add({ match: { kind: 'create' }, fault });
	const parameters = { resource: 'image', operation: 'generate', size: '1:1', prompt: 'a cat' };
	const { error } = await n8n.clock.run(
		n8n.execute({ items: [{}], kind: 'image', parameters: () => parameters }),
	);
	expect(toldBy(error)).toContain('No such user: ***');
	expect(toldBy(error)).not.toContain(OWN);
});

describe.each(['logIn', 'register'])('the password of Session > %s', (operation) => {
	const answered = async (password: string, status: number, body: string) => {
		const n8n = new VirtualN8n();
		const fault = { kind: 'status', status, body, contentType: 'application/json' } as const;
		n8n.state.faults.add({ match: { pathPattern: '/api/(login|register)' }, fault });
		const account = { username: 'alice', email: 'alice@mail.example', password };
		const parameters = { resource: 'session', operation, ...account };
		const { items, error, memory, hints, messages } = await n8n.clock.run(
			n8n.execute({ items: [{}], kind: 'account', parameters: () => parameters }),
		);
		return JSON.stringify([items, toldBy(error), memory, hints, messages]);
	};

	test.each(['correct-horse-battery', 'hunter2', 'p+s"w/rd'])(
		'%s does not come back',
		async (own) => {
			const quoted = JSON.stringify(own).slice(1, -1);
			for (const [status, body] of [
				[400, `{"success":false,"error":"Wrong password ${quoted} for alice"}`],
				[400, `{"success":false,"error":"No","details":{"password":"${quoted} is wrong"}}`],
				[403, `{"detail":"password=${encodeURIComponent(own)}"}`],
				[500, `<p>{'username': 'alice', 'password': '${own}'}`],
				[200, `{"token":"t-1","user":{"username":"alice","password":"${quoted}"}}`],
			] as const) {
				const text = await answered(own, status, body);
				expect(text).toContain('***');
				expect(text).not.toContain(own);
				expect(text).not.toContain(JSON.stringify(quoted).slice(1, -1));
				expect(text).not.toContain(encodeURIComponent(own));
			}
		},
	);
});
