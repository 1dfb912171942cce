/** A frame of MPEG audio, layer III. */
interface Mp3Frame {
	/** Offset of its header in the bytes searched. */
	at: number;
	/** Bytes of the frame, header included. */
	length: number;
	/** Bits a second. */
	bitRate: number;
	/** Samples a second. */
	sampleRate: number;
}

/** Frames after one another that make an MP3 of what may be any bytes. */
const ENOUGH_FRAMES = 3;

/** kbit/s by the bits of the header; 0 is the free format, whose frames tell no length. */
const BIT_RATES = {
	mpeg1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
	mpeg2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};

/** Samples a second of MPEG 1. */
const SAMPLE_RATES = [44_100, 48_000, 32_000];

/** By the two bits of the version: MPEG 2.5, none, 2, 1. */
const RATE_DIVISORS = [4, undefined, 2, 1];

const HEADER_BYTES = 4;

/**
 * The first frames, all that follow one another without a gap; none where the bytes are no MP3.
 *
 * @param isEnd whether the file ends where the bytes do: a short one may have few frames
 */
export function findFrames(bytes: Buffer, isEnd: boolean): Mp3Frame[] {
	for (let at = bytes.indexOf(0xff); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
		const frames = framesFrom(bytes, at);
		const last = frames[frames.length - 1];
		const reachesEnd = last !== undefined && last.at + last.length === bytes.length;
		if (frames.length >= ENOUGH_FRAMES || (isEnd && reachesEnd)) return frames;
	}
	return [];
}

function framesFrom(bytes: Buffer, start: number): Mp3Frame[] {
	const frames: Mp3Frame[] = [];
	let frame = frameAt(bytes, start);
	while (frame && frame.sampleRate === (frames[0] ?? frame).sampleRate) {
		frames.push(frame);
		frame = frameAt(bytes, frame.at + frame.length);
	}
	return frames;
}

function frameAt(bytes: Buffer, at: number): Mp3Frame | undefined {
	if (at + HEADER_BYTES > bytes.length) return undefined;
	const header = bytes.readUInt32BE(at);
	const isLayer3 = header >>> 21 === 0x7ff && ((header >>> 17) & 0b11) === 0b01;
	const divisor = RATE_DIVISORS[(header >>> 19) & 0b11];
	const rate = SAMPLE_RATES[(header >>> 10) & 0b11];
	if (!isLayer3 || divisor === undefined || rate === undefined) return undefined;

	const isMpeg1 = divisor === 1;
	const bitRate = (BIT_RATES[isMpeg1 ? 'mpeg1' : 'mpeg2'][(header >>> 12) & 0b1111] ?? 0) * 1000;
	if (bitRate === 0) return undefined;
	const sampleRate = rate / divisor;
	const samples = isMpeg1 ? 1152 : 576;
	const padding = (header >>> 9) & 1;
	return {
		at,
		length: Math.floor(((samples / 8) * bitRate) / sampleRate) + padding,
		bitRate,
		sampleRate,
	};
}
