import { newAccount } from './account.mts';
import { Faults } from './faults.mts';
import { History } from './history.mts';
import { Jobs } from './jobs.mts';
import { Journal } from './journal.mts';
import { ServiceError } from './serviceError.mts';
import { settingsSchema, type SandboxSettings, type SandboxSettingsInput } from './settings.mts';

export type SandboxState = ReturnType<typeof newState>;

/** @throws ZodError when a setting is unknown or a value breaks its rule */
export function newState(given: SandboxSettingsInput) {
	const settings = settingsSchema.parse(given);
	const state = { settings, account: newAccount(settings), ...newRecords(settings) };
	/**
	 * Goes back to the start: no jobs, journal or faults, and the first credits and settings, with a
	 * new key, session and auth token unless they were given.
	 */
	const reset = () => {
		Object.assign(settings, settingsSchema.parse(given));
		Object.assign(state.account, newAccount(settings));
		Object.assign(state, newRecords(settings));
	};
	return Object.assign(state, { reset });
}

/** What a reset forgets. */
function newRecords(settings: SandboxSettings) {
	const jobs = new Jobs(settings);
	return {
		jobs,
		history: new History(settings, jobs),
		journal: new Journal(),
		faults: new Faults(settings),
		rateLimit: new RateLimit(settings),
	};
}

/** Section "Limits": requests of the account in a sliding window. */
class RateLimit {
	/** When the requests in the window were served, ms since 1970, oldest first. */
	private served: number[] = [];

	constructor(private readonly settings: SandboxSettings) {}

	/** @throws ServiceError 429 when the window is full; a refused request does not count */
	admit(): void {
		const { clock, limits } = this.settings;
		const now = clock.now();
		this.served = this.served.filter((at) => at > now - limits.windowMs);
		const [oldest = now] = this.served;
		if (this.served.length >= limits.requestsPerWindow) {
			const seconds = Math.ceil((oldest + limits.windowMs - now) / 1000);
			throw new ServiceError(429, 'Too many requests.', undefined, seconds);
		}
		this.served.push(now);
	}
}
