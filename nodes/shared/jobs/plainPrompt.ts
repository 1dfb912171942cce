/** A prompt as it can be compared: a service may trim it, or change its case and white space. */
export function plainPrompt(prompt: unknown): string {
	return typeof prompt === 'string' ? prompt.trim().split(/\s+/).join(' ').toLowerCase() : '';
}
