/** The folder of the documentation's pictures, relative to the repository's root. */
export const IMAGES = 'docs/images';

/** Each picture exists in both themes. */
export const THEMES = ['light', 'dark'] as const;

/** The file of a picture, relative to the repository's root, with slashes. */
export function fileOf(name: string, theme: (typeof THEMES)[number]) {
	return `${IMAGES}/${name}${theme === 'dark' ? '-dark' : ''}.png`;
}

export function pictureOf(example: string) {
	return `examples/${example}`;
}
