import { newAccount, type Account } from './account.mts';
import { Faults } from './faults.mts';
import { History } from './history.mts';
import { Jobs } from './jobs.mts';
import { Journal } from './journal.mts';
import { RateLimit } from './rateLimit.mts';
import { settingsSchema, type SandboxSettings, type SandboxSettingsInput } from './settings.mts';

export interface SandboxState {
	settings: SandboxSettings;
	account: Account;
	jobs: Jobs;
	history: History;
	journal: Journal;
	faults: Faults;
	rateLimit: RateLimit;
	/**
	 * Back to how it started, settings included, with a new key, session and auth token unless they
	 * were given.
	 */
	reset(): void;
}

/** @throws ZodError when a setting is unknown or a value breaks its rule */
export function newState(given: SandboxSettingsInput): SandboxState {
	const settings = settingsSchema.parse(given);
	const account = newAccount(settings);
	const jobs = new Jobs(settings);
	const forgetful = {
		jobs,
		history: new History(settings, jobs),
		journal: new Journal(),
		faults: new Faults(settings),
		rateLimit: new RateLimit(settings),
	};
	const reset = () => {
		Object.assign(settings, settingsSchema.parse(given));
		Object.assign(account, newAccount(settings));
		for (const part of Object.values(forgetful)) part.clear();
	};
	return { settings, account, ...forgetful, reset };
}
