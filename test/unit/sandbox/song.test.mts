import { songWav } from '../../../sandbox/wav.mts';
import { readWav } from './wav.mts';

describe('a song', () => {
	it('is the same for the same text, and another for another', () => {
		const song = songWav('first take');
		expect(songWav('first take').equals(song)).toBe(true);
		expect(songWav('second take').equals(song)).toBe(false);
	});

	it('is a few seconds long, and loud enough without clipping', () => {
		const { seconds, peak } = readWav(songWav('first take'));
		expect(seconds).toBe(4);
		expect(peak).toBe(20_000);
	});

	it('begins and ends without a click, and has several notes', () => {
		const samples = samplesOf(songWav('first take'));
		expect(Math.abs(samples[0]!)).toBeLessThan(200);
		expect(Math.abs(samples.at(-1)!)).toBeLessThan(200);
		// Struck anew, the sound is louder than a tenth of a second before.
		const loudness = Array.from({ length: 40 }, (_, tenth) => loudest(samples, tenth * 800, 800));
		const struck = loudness.filter((now, tenth) => now > 1.2 * (loudness[tenth - 1] ?? now));
		expect(struck.length).toBeGreaterThanOrEqual(4);
	});
});

function samplesOf(wav: Buffer): number[] {
	return Array.from({ length: (wav.length - 44) / 2 }, (_, index) =>
		wav.readInt16LE(44 + index * 2),
	);
}

function loudest(samples: number[], from: number, count: number): number {
	return Math.max(...samples.slice(from, from + count).map(Math.abs));
}
