/** What a WAV says of itself (RIFF, PCM). */
export interface Wav {
	/** 1 is PCM. */
	format: number;
	channels: number;
	/** Samples per second. */
	rate: number;
	bits: number;
	seconds: number;
	/** Loudest sample, of 32768. */
	peak: number;
}

/** @throws Error when the file is not a WAV of 16 bits, all of which is there */
export function readWav(bytes: Buffer): Wav {
	const isRiff = bytes.toString('latin1', 0, 4) === 'RIFF';
	if (!isRiff || bytes.toString('latin1', 8, 12) !== 'WAVE') throw new Error('This is not a WAV');
	if (bytes.readUInt32LE(4) !== bytes.length - 8) throw new Error('The size is wrong');
	const format = chunk(bytes, 'fmt ');
	const samples = chunk(bytes, 'data');
	const [channels, rate] = [format.readUInt16LE(2), format.readUInt32LE(4)];
	const bits = format.readUInt16LE(14);
	const [perSecond, frame] = [format.readUInt32LE(8), format.readUInt16LE(12)];
	const isConsistent = frame === (channels * bits) / 8 && perSecond === rate * frame;
	if (bits !== 16 || !isConsistent) throw new Error('The format is wrong');
	let peak = 0;
	for (let at = 0; at < samples.length; at += 2) {
		peak = Math.max(peak, Math.abs(samples.readInt16LE(at)));
	}
	const seconds = samples.length / perSecond;
	return { format: format.readUInt16LE(0), channels, rate, bits, seconds, peak };
}

function chunk(bytes: Buffer, name: string): Buffer {
	for (let at = 12; at + 8 <= bytes.length; ) {
		const end = at + 8 + bytes.readUInt32LE(at + 4);
		if (bytes.toString('latin1', at, at + 4) === name && end <= bytes.length) {
			return bytes.subarray(at + 8, end);
		}
		at = end + (end % 2);
	}
	throw new Error(`There is no whole ${name}`);
}
