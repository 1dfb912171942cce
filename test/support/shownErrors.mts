/** Every error that a test has shown has to be on the page of errors (docs/troubleshooting.md). */
afterEach(async () => {
	const shown = (globalThis as { shownErrors?: string[] }).shownErrors?.splice(0) ?? [];
	if (shown.length === 0) return;
	// Not loaded by tests that show none.
	const { isDocumented } = await import('./documentedErrors.mts');
	const needsEntry = shown.filter((message) => !isDocumented(message));
	// Each needs a comment @error beside it: CONTRIBUTING.md, What "done" means.
	expect({ needsEntry }).toEqual({ needsEntry: [] });
});
