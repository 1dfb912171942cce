import { isMediaType, typeIn } from '../../../nodes/shared/orders/readRecord.ts';

test.each([
	['image', 'image'],
	['Video', 'video'],
	['text_to_image', 'image'],
	['image_to_video', 'video'],
	['text-to-audio', 'audio'],
	['text', 'text'],
	['Picture', 'picture'],
	[`image ${'x'.repeat(94)}video`, 'image'],
])('a record that tells the type %j is of type %s', (generation_type, type) => {
	expect(typeIn({ generation_type })).toBe(type);
	// Told, it counts more than what else the record has.
	expect(typeIn({ generation_type, video_url: 'https://x/1.mp4' })).toBe(type);
});

test.each([
	[{ video_url: 'https://x/1.mp4' }, 'video'],
	[{ video_model: 'modelA' }, 'video'],
	[{ video_url: null, video_model: '' }, undefined],
	[{ generation_type: 7 }, undefined],
	[{}, undefined],
])('one that does not tell it, %j, is of type %s', (record, type) => {
	expect(typeIn(record)).toBe(type);
});

test.each([
	['image', true],
	['video', true],
	['audio', true],
	['text', true],
	['picture', false],
	[undefined, false],
])('%s is a type by name: %s', (type, isKnown) => {
	expect(isMediaType(type)).toBe(isKnown);
});
