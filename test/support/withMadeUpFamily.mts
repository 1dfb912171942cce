/*
 * Adds the made-up family to the list of families, for whoever imports this file before anything else. Nothing else in
 * the package knows of it.
 */
jest.mock('../../nodes/shared/spec/video/families.ts', () => {
	const families = jest.requireActual('../../nodes/shared/spec/video/families.ts');
	const { VID_Z } = jest.requireActual('./madeUpFamily.mts');
	return { ...families, VIDEO_FAMILIES: [...families.VIDEO_FAMILIES, VID_Z] };
});
