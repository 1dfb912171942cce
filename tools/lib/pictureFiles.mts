/** Where the pictures of the documentation are, seen from the repository's root. */
export const IMAGES = 'docs/images';

/** Each picture is there in both. */
export const THEMES = ['light', 'dark'] as const;

/** The file of a picture, seen from the repository's root, with slashes. */
export function fileOf(name: string, theme: (typeof THEMES)[number]) {
	return `${IMAGES}/${name}${theme === 'dark' ? '-dark' : ''}.png`;
}

/** The name of the picture of an example. */
export function pictureOf(example: string) {
	return `examples/${example}`;
}
