import { randomBytes, randomUUID } from 'node:crypto';

import type { Jobs } from './jobs.mts';
import { ServiceError } from './serviceError.mts';
import type { SandboxSettings } from './settings.mts';

interface Charge {
	jobId: string;
	/** `resource.operation`. */
	operation: string;
	credits: number;
	/** ms since 1970. */
	at: number;
}

export type Account = ReturnType<typeof newAccount>;

/** Price of one credit in the sandbox's made-up currency. */
const MONEY_PER_CREDIT = 0.01;

/** The one account of the sandbox; its fields may be changed at any time. */
export function newAccount(settings: SandboxSettings) {
	const { credits, key, session, authToken, clock } = settings;
	return {
		credits: { ...credits },
		charges: [] as Charge[],
		/** Valid API keys; revoke one by deleting it. */
		keys: new Set([key]),
		session: { ...session },
		authTokens: new Set([authToken]),
		profile: { enable_watermark: true, watermark_text: '' },
		bought: { credits: credits.purchased, at: clock.now() },
	};
}

/** A value that nobody can guess. */
export function secret(prefix: string): string {
	return `${prefix}${randomBytes(18).toString('base64url')}`;
}

/** Creates a key (section "API key"). Only this answer shows the whole key. */
export function addKey(account: Account, name: string, at: number): object {
	const key = secret('mg_sandbox_');
	account.keys.add(key);
	return {
		id: randomUUID(),
		name,
		key,
		key_preview: `${key.slice(0, 14)}…`,
		created_at: new Date(at).toISOString(),
	};
}

/** Section "Profile". */
export function profileOf({ account, jobs }: { account: Account; jobs: Jobs }): object {
	return {
		id: 1,
		username: 'sandbox',
		email: 'sandbox@example.com',
		credits_balance: balanceOf(account),
		total_images_generated: jobs.list.filter(({ operation }) => operation.mediaType === 'image')
			.length,
		...account.profile,
		created_at: new Date(account.bought.at).toISOString(),
	};
}

/** Made up: the first purchase and each charge, newest first. */
export function transactionsOf({ bought, charges }: Account): Array<Record<string, unknown>> {
	const entry = (id: number, type: string, amount: number, at: number) => ({
		id,
		type,
		credits: amount,
		created_at: new Date(at).toISOString(),
	});
	const charged = charges.map(({ jobId, operation, credits, at }, index) => ({
		...entry(index + 2, 'charge', -credits, at),
		description: `${operation} ${jobId}`,
	}));
	return [entry(1, 'purchase', bought.credits, bought.at), ...charged].reverse();
}

/** What the service calls the balance: all credits, usable through the API or not. */
export function balanceOf({ credits }: Account): number {
	return credits.purchased + credits.welcome;
}

/** @throws ServiceError 402 when the purchased credits do not suffice; welcome credits never pay */
export function checkFunds({ credits }: Account, price: number): void {
	if (price <= credits.purchased) return;
	throw new ServiceError(
		402,
		credits.purchased === 0
			? 'No credits have been purchased for API usage. Welcome credits cannot be used through the API.'
			: `Insufficient credits: this costs ${price}, and ${credits.purchased} are available.`,
	);
}

export function charge(account: Account, entry: Charge): void {
	account.credits.purchased -= entry.credits;
	account.charges.push(entry);
}

/** Section "Credit summary". */
export function creditSummary(account: Account): object {
	const spent = account.charges.reduce((sum, { credits }) => sum + credits, 0);
	const purchased = account.credits.purchased + spent;
	return {
		credits_balance: balanceOf(account),
		total_spent: (purchased * MONEY_PER_CREDIT).toFixed(2),
		total_credits_purchased: purchased,
	};
}
