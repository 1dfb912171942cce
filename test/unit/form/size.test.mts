import { MediaGenApi } from '../../../credentials/MediaGenApi.credentials.ts';
import { MediaGenAccount } from '../../../nodes/Account/MediaGenAccount.node.ts';
import { MediaGenImage } from '../../../nodes/Image/MediaGenImage.node.ts';
import { MediaGenMusic } from '../../../nodes/Music/MediaGenMusic.node.ts';
import { MediaGenTrigger } from '../../../nodes/Trigger/MediaGenTrigger.node.ts';
import { MediaGenVideo } from '../../../nodes/Video/MediaGenVideo.node.ts';

/** n8n keeps the descriptions in memory, and sends them to every editor. */
const bytes = (descriptions: unknown) => Buffer.byteLength(JSON.stringify(descriptions));

test('the descriptions of the four nodes that act are at most 200 KB', () => {
	const nodes = [MediaGenImage, MediaGenVideo, MediaGenMusic, MediaGenAccount];
	const sizes = nodes.map((Node) => bytes(new Node().description));
	expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(200_000);
});

test('that of the trigger is at most 4 KB', () => {
	expect(bytes(new MediaGenTrigger().description)).toBeLessThanOrEqual(4000);
});

test('that of the credential is at most 19 KB', () => {
	expect(bytes(new MediaGenApi())).toBeLessThanOrEqual(19_000);
});

test('they are data and nothing else', () => {
	const { description } = new MediaGenVideo();
	expect(JSON.parse(JSON.stringify(description))).toStrictEqual(description);
});

/** n8n before 2.0 refuses a workflow with a node one of whose conditions it cannot resolve. */
test('a condition names a parameter of the form, or begins with a slash', () => {
	for (const Node of [MediaGenImage, MediaGenVideo, MediaGenMusic, MediaGenAccount]) {
		const { properties } = new Node().description;
		const names = new Set(properties.map(({ name }) => name));
		const conditions = properties.flatMap(({ displayOptions = {} }) =>
			Object.values(displayOptions).flatMap((rule) => Object.keys(rule as object)),
		);
		expect(conditions.filter((one) => !/^[@/]/.test(one) && !names.has(one))).toEqual([]);
	}
});
