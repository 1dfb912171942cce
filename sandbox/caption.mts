import { GLYPH_HEIGHT, GLYPH_WIDTH, glyphOf, spell } from './font.mts';

/** Dots from one character to the next, and from one line to the next. */
const ADVANCE = GLYPH_WIDTH + 1;
const LINE = GLYPH_HEIGHT + 2;

/** Pixels of a dot, on a picture of 512 pixels: as many as the text leaves room for. */
const SCALES = [8, 7, 6, 5, 4, 3];
const DESIGNED_FOR = 512;

/** What a caption takes of the picture at most, and what is free at its sides. */
const HEIGHT_SHARE = 0.6;
const MARGIN_SHARE = 0.06;

const CUT = '...';

/** A text at the lower end of a picture; lengths in pixels. */
export interface Caption {
	lines: string[];
	/** Side of a dot. */
	dot: number;
	/** Left end of the text. */
	left: number;
	/** Upper end of the text. */
	top: number;
	/** Upper end of the band behind it. */
	band: number;
}

/** Lays out a text as large as the picture allows, in lines; what does not fit is cut. */
export function layOut(text: string, width: number, height: number): Caption | undefined {
	const words = spell(text).split(/\s+/).filter(Boolean);
	if (words.length === 0) return undefined;
	const margin = Math.round(Math.min(width, height) * MARGIN_SHARE);
	const room = { width: width - 2 * margin, height: height * HEIGHT_SHARE - 2 * margin };
	const layouts = SCALES.map((scale) => {
		const dot = Math.max(1, Math.round((scale * Math.min(width, height)) / DESIGNED_FOR));
		const columns = Math.floor(room.width / (dot * ADVANCE));
		const most = Math.max(1, Math.floor(room.height / (dot * LINE)));
		return { dot, columns, most, lines: wrap(words, columns) };
	});
	const fits = layouts.find(({ lines, most, columns }) => {
		return lines.length <= most && words.every((word) => word.length <= columns);
	});
	const { dot, columns, most, lines } = fits ?? layouts.at(-1)!;
	const shown = cut(lines, most, columns);
	const top = height - margin - shown.length * dot * LINE + 2 * dot;
	return { lines: shown, dot, left: margin, top, band: top - margin };
}

/** Calls back for each dot of a caption, with the pixels of its upper left corner. */
export function eachDot(
	{ lines, dot, left, top }: Caption,
	draw: (x: number, y: number) => void,
): void {
	lines.forEach((line, row) => {
		[...line].forEach((character, column) => {
			for (const [x, y] of glyphOf(character)) {
				draw(left + (column * ADVANCE + x) * dot, top + (row * LINE + y) * dot);
			}
		});
	});
}

/** Lines of so many characters at most; longer words are broken. */
function wrap(words: readonly string[], columns: number): string[] {
	const lines: string[] = [];
	for (const word of words.flatMap((one) => piecesOf(one, columns))) {
		const longer = `${lines.at(-1)} ${word}`;
		if (lines.length > 0 && longer.length <= columns) lines[lines.length - 1] = longer;
		else lines.push(word);
	}
	return lines;
}

function piecesOf(word: string, length: number): string[] {
	const characters = [...word];
	return Array.from({ length: Math.ceil(characters.length / length) }, (_, piece) =>
		characters.slice(piece * length, (piece + 1) * length).join(''),
	);
}

function cut(lines: readonly string[], most: number, columns: number): string[] {
	if (lines.length <= most) return [...lines];
	const last = lines[most - 1] ?? '';
	return [...lines.slice(0, most - 1), last.slice(0, columns - CUT.length) + CUT];
}
