import { pathToFileURL } from 'node:url';

/**
 * node scan.mjs <scanner> <sources> <package>
 *
 * Runs n8n's scanner, whose file is given, over sources and over an unpacked package, with the files that it
 * looks at there. Prints what it finds and ends with 1; with 0 if that is nothing.
 */
const [scanner = '', sources = '', unpacked = ''] = process.argv.slice(2);

const { analyzePackage, SOURCE_FILE_PATTERNS } = await import(pathToFileURL(scanner).href);

const isClean = [
	await scan(sources, SOURCE_FILE_PATTERNS),
	await scan(unpacked, ['**/*.js', 'package.json']),
].every(Boolean);

process.exit(isClean ? 0 : 1);

/**
 * Whether nothing is found in a folder.
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
