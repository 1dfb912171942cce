const HEADER = 8;

/** What an MP4 says of itself. */
export interface Mp4 {
	/** Four letters of the video's codec; `avc1` is H.264. */
	codec: string;
	/** Pixels. */
	width: number;
	height: number;
	seconds: number;
}

/** @throws Error when the file is not an MP4 with one track, all of which is there */
export function readMp4(bytes: Buffer): Mp4 {
	if (bytes.toString('latin1', 4, 8) !== 'ftyp') throw new Error('This is not an MP4');
	contentOf(bytes, ['mdat']);
	const head = contentOf(bytes, ['moov', 'mvhd']);
	const track = contentOf(bytes, ['moov', 'trak', 'tkhd']);
	const samples = contentOf(bytes, ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd']);
	return {
		codec: samples.toString('latin1', 12, 16),
		width: track.readUInt16BE(76),
		height: track.readUInt16BE(80),
		seconds: head.readUInt32BE(16) / head.readUInt32BE(12),
	};
}

/** Content of the box at a path of types; of several of a type, the first. */
function contentOf(bytes: Buffer, [type, ...rest]: string[]): Buffer {
	for (let at = 0; at < bytes.length; ) {
		const size = bytes.readUInt32BE(at);
		const isWhole = size >= HEADER && at + size <= bytes.length;
		if (!isWhole) break;
		if (bytes.toString('latin1', at + 4, at + HEADER) === type) {
			const content = bytes.subarray(at + HEADER, at + size);
			return rest.length === 0 ? content : contentOf(content, rest);
		}
		at += size;
	}
	throw new Error(`There is no whole ${type}`);
}
