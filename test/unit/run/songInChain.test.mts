import { jobOutput, originOf } from '../../../nodes/shared/output/jobOutput.ts';
import { MUSIC_OPERATIONS } from '../../../nodes/shared/spec/music/operations.ts';
import { musicOperation } from '../../support/operations.mts';

/** A song, its cover, its video, one node after the other: each works on the song. */

test('what is made of a song, and is none, names the song', () => {
	const named = MUSIC_OPERATIONS.filter(({ passesSourceOn }) => passesSourceOn);
	expect(named.map(({ operation }) => operation)).toEqual([
		'stems',
		'wav',
		'recovery',
		'timestamped_lyrics',
		'cover_art',
		'music_video',
	]);
});

const itemOf = (id: string) =>
	jobOutput(
		{ id: 'made', state: 'completed', record: {}, waitedMs: 1 },
		originOf(musicOperation(id), { source: 'song', audio_id: 'take' }),
		{ simplify: true, resultField: '' },
	);

test('the item of a cover leads back to the song', () => {
	expect(itemOf('cover_art')).toMatchObject({
		jobId: 'made',
		details: { sourceJobId: 'song', sourceAudioId: 'take' },
	});
});

test('what continues a song is the song that comes next', () => {
	expect(itemOf('extend').details).not.toHaveProperty('sourceJobId');
});
