import type { FoundUrl } from './mediaUrls';
import { kindOfExtension } from './mediaFormat';

/** Candidates for the result of a job, sorted out. */
export interface BestUrls {
	/** The first of the best candidates, and those at the same path but for its indexes. */
	series: FoundUrl[];
	/** Other candidates that are as good, by all that can be told. */
	rivals: FoundUrl[];
	/** All for which something speaks; where that is none, the best. */
	likely: FoundUrl[];
}

/**
 * The best candidates: those whose file names and fields speak for the type of media. Where that says
 * nothing, they are as good as each other, and the first in order goes first (design: "Result URLs").
 *
 * @param mediaType as the operation has it, or the record in its own words; null where it is not known
 */
export function bestUrls(candidates: readonly FoundUrl[], mediaType: string | null): BestUrls {
	const kind = kindInWords(mediaType ?? '');
	const rated = candidates.map((found) => ({ found, rating: ratingOf(found, kind) }));
	const highest = rated.reduce((most, { rating }) => Math.max(most, rating), -Infinity);
	const first = rated.find(({ rating }) => rating === highest)?.found;
	if (!first) return { series: [], rivals: [], likely: [] };
	const path = withoutIndexes(first.path);
	// What is beside the first in a list is of the series unless it speaks for another type.
	const isAlike = ({ found, rating }: (typeof rated)[number]) =>
		rating >= Math.min(highest, 0) && withoutIndexes(found.path) === path;
	const those = (isWanted: (each: (typeof rated)[number]) => boolean) =>
		rated.filter(isWanted).map(({ found }) => found);
	return {
		series: those(isAlike),
		rivals: those((each) => each.rating === highest && !isAlike(each)),
		likely: those(({ rating }) => rating >= Math.min(highest, 1)),
	};
}

/** How many signs speak for that kind of media, less those that speak for another. */
function ratingOf({ url, path }: FoundUrl, kind?: string): number {
	const signs = [kindOfExtension(extensionOf(url)), kindInWords(path)];
	return signs.reduce((rating, sign) => rating + signOf(sign, kind), 0);
}

function signOf(sign: string | undefined, kind: string | undefined): number {
	if (sign === undefined) return 0;
	// A picture beside something else is its cover, whatever that is.
	if (kind === undefined) return sign === 'image' || sign === PREVIEW ? -1 : 0;
	return sign === kind ? 1 : -1;
}

/** Not the result, of whatever type. */
const PREVIEW = 'preview';

/** Words in the names of fields, by the kind of media that they speak for. */
const WORDS: ReadonlyArray<[kind: string, word: RegExp]> = [
	['audio', /audio|song|music|mp3|wav/gi],
	['image', /image|img|picture|photo|cover|artwork/gi],
	['video', /video|movie|mp4/gi],
	[PREVIEW, /thumb|preview|poster/gi],
];

/** The kind that the last such word speaks for: `music_video`, `video.cover` and so on. */
function kindInWords(text: string): string | undefined {
	const last = WORDS.map(([kind, word]) => ({ kind, at: lastMatch(text, word) }));
	const { kind, at } = last.reduce((best, each) => (each.at > best.at ? each : best));
	return at < 0 ? undefined : kind;
}

function lastMatch(text: string, word: RegExp): number {
	let at = -1;
	for (const { index } of text.matchAll(word)) at = index;
	return at;
}

function extensionOf(url: string): string {
	const { pathname } = new URL(url);
	const name = pathname.slice(pathname.lastIndexOf('/') + 1);
	return name.slice(name.lastIndexOf('.') + 1);
}

const withoutIndexes = (path: string) => path.replace(/\[\d+\]/g, '[]');
