import { ServiceError } from './serviceError.mts';
import type { SandboxSettings } from './settings.mts';

/** Section "Limits": requests of the account in a sliding window. */
export class RateLimit {
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
