/** Where the pictures of the documentation are, seen from the repository's root. */
export const IMAGES = 'docs/images';

/** Each picture is there in both. */
export const THEMES = /** @type {const} */ (['light', 'dark']);

/**
 * The file of a picture, seen from the repository's root, with slashes.
 *
 * @param {string} name
 * @param {typeof THEMES[number]} theme
 */
export function fileOf(name, theme) {
	return `${IMAGES}/${name}${theme === 'dark' ? '-dark' : ''}.png`;
}

/**
 * The name of the picture of an example.
 *
 * @param {string} example Its name.
 */
export function pictureOf(example) {
	return `examples/${example}`;
}
