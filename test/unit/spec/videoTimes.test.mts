import { creationNamed } from '../../support/operations.mts';

/** Literals from the document: "Family-A video", cost; "Family-E video, version 2.6", fields. */

test('family A says how long its videos take', () => {
	expect(creationNamed('vidA31.generate').typicalSeconds).toEqual([
		{ when: { model: ['modelA_fast'] }, from: 30, to: 45 },
		{ when: { model: ['modelA'] }, from: 45, to: 60 },
	]);
});

test.each([
	['textToVideo', 'text-to-video'],
	['imageToVideo', 'image-to-video'],
	['videoToVideo', 'video-to-video'],
])('%s of family E is the mode %s', (operation, mode) => {
	expect(creationNamed(`vidE26.${operation}`).fixed).toEqual({ mode });
});

test.each([
	['textToVideo', 'text_to_video'],
	['imageToVideo', 'image_to_video'],
])('%s of family B 2.6 is the mode %s', (operation, generationMode) => {
	expect(creationNamed(`vidB26.${operation}`).fixed).toEqual({ generationMode });
});
