import { pathToFileURL } from 'node:url';

/**
 * node scan.mjs <scanner> <sources> <package>
 *
 * Runs n8n's scanner, from the given file, over the sources and over an unpacked package, each with the file patterns
 * that n8n uses for it. Prints the findings and ends with 1, or with 0 if there are none.
 */
const [scanner = '', sources = '', unpacked = ''] = process.argv.slice(2);

const { analyzePackage, SOURCE_FILE_PATTERNS } = await import(pathToFileURL(scanner).href);

const isClean = [
	await scan(sources, SOURCE_FILE_PATTERNS),
	await scan(unpacked, ['**/*.js', 'package.json']),
].every(Boolean);

process.exit(isClean ? 0 : 1);

/**
 * Whether the scanner finds nothing in a folder.
 *
 * @param {string} folder
 * @param {string[]} patterns
 */
async function scan(folder, patterns) {
	const { passed, message, details } = await analyzePackage(folder, patterns);
	if (message) console.log(message);
	if (details) console.log(details);
	return passed && !message;
}
