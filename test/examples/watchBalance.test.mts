import { openDataTable } from '../support/dataTables.mts';
import { useExamples } from '../support/useExamples.mts';

const { n8n, runExample } = useExamples();

jest.setTimeout(60_000);

const LIMITS = { credits: 200, days: 7 };

const limits = {
	assignments: {
		assignments: Object.entries(LIMITS).map(([name, value]) => ({
			id: name,
			name,
			type: 'number',
			value,
		})),
	},
};

/** Looks at the balance, and gives what it warns of. */
async function look(): Promise<string | undefined> {
	const { status, error } = await runExample('watchBalance.json', 'Start', {
		'Your limits': { parameters: limits },
	});
	expect(status).toBe(error ? 'error' : 'success');
	return error?.message;
}

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

test('watchBalance: warns when there are few credits, or when they will not last', async () => {
	const { credits } = n8n.sandbox.account;
	Object.assign(credits, { welcome: 0, purchased: 199 });
	expect(await look()).toBe('Your credits are running low: There are 199 credits left.');
	credits.purchased = 1000;
	expect(await look()).toBeUndefined();

	const table = await openDataTable(n8n.client, 'MediaGen balance');
	expect(await table.rows()).toEqual([
		expect.objectContaining({ balance: 199, purchased: 199, lookedAt: expect.any(String) }),
		expect.objectContaining({ balance: 1000, purchased: 1000, lookedAt: expect.any(String) }),
	]);
	await table.insert(
		{ lookedAt: daysAgo(30), balance: 100_000, purchased: 1000 },
		{ lookedAt: daysAgo(2), balance: 1500, purchased: 1000 },
	);
	expect(await look()).toBe(
		'Your credits are running low: There are 1000 credits left. At 250 a day, they last for about 4 more days.',
	);
	// 3000 bought in all; 500 of them are gone since.
	credits.purchased = 3000;
	expect(await look()).toBeUndefined();
});
