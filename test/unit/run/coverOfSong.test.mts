import type { IDataObject } from 'n8n-workflow';

import { OPEN_PATHS } from '../../../sandbox/settings.mts';
import { flat } from '../../support/flat.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';

/** Cover art is free, and made of one take of a song: its item leads back to that. */

test('the item of a cover names the song and the take that it was made from', async () => {
	const n8n = new VirtualN8n({ settings: { jobMs: { min: 500, max: 500 } } }, OPEN_PATHS);
	const run = async (parameters: IDataObject) => {
		const { items, error } = await n8n.clock.run(
			n8n.execute({ items: [{}], kind: 'music', parameters }),
		);
		expect(error).toBeUndefined();
		return flat(items[0]?.json ?? {});
	};
	const song = await run({
		...{ resource: 'song', operation: 'generate' },
		...{ prompt: 'rain', model: 'V5' },
	});
	const cover = await run({
		...{ resource: 'artwork', operation: 'cover_art' },
		...{ source: song.jobId, audio_id: song.audioId },
	});
	const [first, second] = n8n.state.jobs.list;
	expect(song).toMatchObject({ jobId: first?.id, audioId: expect.stringMatching(/./) });
	expect(cover).toMatchObject({
		jobId: second?.id,
		sourceJobId: first?.id,
		sourceAudioId: song.audioId,
	});
});
