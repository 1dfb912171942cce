import { ToolError } from './errors.mjs';

/** The first bytes of every PNG file. */
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * Makes sure that an address answers with a PNG.
 *
 * @param {string} url
 * @returns {Promise<number>} Its size in bytes.
 */
export async function requirePng(url) {
	const response = await fetch(url);
	const body = Buffer.from(await response.arrayBuffer());
	if (response.ok && body.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return body.length;
	const type = response.headers.get('content-type');
	throw new ToolError(`${url} did not answer with a PNG, but with ${response.status}, ${type}.`);
}
