import { GALLERY, gallery } from '../gallery.mts';
import { openPoints } from './openPoints.mts';
import { reference } from './reference.mts';
import { troubleshooting } from './troubleshooting.mts';

/** Pages that are written as a whole, by their files. */
export const PAGES: Readonly<Record<string, () => string | Promise<string>>> = {
	'docs/reference.md': reference,
	'docs/openPoints.md': openPoints,
	'docs/troubleshooting.md': troubleshooting,
	[GALLERY]: gallery,
};

/** The page that has the table of prices between its own texts. */
export const PRICED_PAGE = 'docs/money.md';
