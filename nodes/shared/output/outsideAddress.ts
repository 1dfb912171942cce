import { DownloadError } from './downloadError';
import { isPrivateHost } from './privateNetworks';

export interface AddressRules {
	/** How messages call the address. */
	subject: string;
	/** Whether it may be inside a private network. */
	mayBePrivate: boolean;
	/** The address that redirects there. */
	from?: URL;
}

/**
 * An address that a file may be fetched from: http(s), and in a private network only if the service
 * itself is in one. So a service on the internet cannot make n8n fetch from inside its network.
 *
 * Literal addresses and `localhost` are checked. What a name resolves to is the matter of n8n's own
 * protection against such requests (N8N_SSRF_PROTECTION_ENABLED), which checks every connection.
 *
 * @throws DownloadError
 */
export function outsideAddress(text: string, { subject, mayBePrivate, from }: AddressRules): URL {
	const url = parse(text, from);
	if (!url || !['http:', 'https:'].includes(url.protocol)) {
		throw new DownloadError(`${subject} is no http or https address`, false);
	}
	if (!mayBePrivate && isPrivateHost(url.hostname)) {
		throw new DownloadError(
			`${subject} is inside a private network, and the service is not`,
			false,
		);
	}
	return url;
}

function parse(text: string, base?: URL): URL | undefined {
	try {
		return new URL(text, base);
	} catch {
		return undefined;
	}
}
