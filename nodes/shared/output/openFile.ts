import type { IExecuteFunctions } from 'n8n-workflow';

import type { Readable } from '../service/readBody';
import { parseUrl } from '../service/shownText';
import { TOO_MANY_REQUESTS } from '../spec/answers';
import { isPrivateHost } from './privateNetworks';

export type HttpHelpers = Pick<IExecuteFunctions['helpers'], 'httpRequest'>;

export interface Asking extends Omit<AddressRules, 'from'> {
	helpers: HttpHelpers;
	/**
	 * Ends the requests. Whatever the outcome, only aborting closes the connections: destroying a body
	 * does not, because of how n8n's helper wraps it.
	 */
	signal: AbortSignal;
	/** How long each answer may take to start, in ms. */
	timeoutMs: number;
}

/** The start of an answer, as n8n's helper gives it. */
interface Answer {
	statusCode: number;
	headers: Record<string, string | undefined>;
	body: Readable;
}

const MAX_REDIRECTS = 3;

/**
 * Requests a file from an outside address, and from those that it redirects to; each is checked. All files
 * that are fetched come through here. The requests carry no credentials, so that the key stays with the
 * service, whatever address the service or the user names.
 *
 * @throws DownloadError
 */
export async function openFile(url: string, asking: Asking): Promise<Answer> {
	const { subject } = asking;
	const answer = await follow(outsideAddress(url, asking), asking);
	const { statusCode } = answer;
	if (statusCode >= 200 && statusCode <= 299) return answer;
	const isPassing = statusCode >= 500 || statusCode === TOO_MANY_REQUESTS;
	throw new DownloadError(`${subject} answered with status ${statusCode}`, isPassing);
}

/** The answer of the address, or of the one that it redirects to. */
async function follow(address: URL, asking: Asking, redirects = 0): Promise<Answer> {
	const answer = await ask(address, asking);
	const { location } = answer.headers;
	if (answer.statusCode < 300 || answer.statusCode > 399 || !location) return answer;
	const { subject } = asking;
	if (redirects === MAX_REDIRECTS) {
		throw new DownloadError(`${subject} redirects more than ${MAX_REDIRECTS} times`, false);
	}
	const target = outsideAddress(location, { ...asking, from: address });
	return await follow(target, asking, redirects + 1);
}

async function ask(address: URL, { helpers, signal, timeoutMs, subject }: Asking): Promise<Answer> {
	const answer: Answer = await helpers
		.httpRequest({
			method: 'GET',
			url: address.href,
			// Not compressed, so that the stated length is that of the file.
			headers: { Accept: '*/*', 'Accept-Encoding': 'identity' },
			encoding: 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			timeout: timeoutMs,
			abortSignal: signal,
		})
		.catch((error: unknown) => {
			throw new DownloadError(`${subject} cannot be reached: ${reasonOf(error)}`, true);
		});
	answer.body.on('error', ignore);
	return answer;
}

/** Handles the errors of a stream: if nobody reads it any more, they would otherwise end n8n. */
export const ignore = () => {};

interface AddressRules {
	/** What messages call the address. */
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
 * Literal addresses and `localhost` are checked. What a name resolves to is left to n8n's own protection
 * against such requests (N8N_SSRF_PROTECTION_ENABLED), which checks every connection.
 *
 * @throws DownloadError
 */
export function outsideAddress(text: string, { subject, mayBePrivate, from }: AddressRules): URL {
	const url = parseUrl(text, from?.href);
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

/** Why a file was not downloaded, in words for the person who reads the item. */
export class DownloadError extends Error {
	/** @param isPassing whether another try may succeed */
	constructor(
		message: string,
		readonly isPassing: boolean,
	) {
		super(message);
		this.name = 'DownloadError';
	}
}

export function reasonOf(error: unknown): string {
	const { message, code } = Object(error) as { message?: string; code?: string };
	return message || code || 'the connection was closed';
}
