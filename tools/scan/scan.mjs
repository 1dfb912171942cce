import { pathToFileURL } from 'node:url';

/**
 * node scan.mjs <scanner> source|package <folder>
 *
 * Runs n8n's scanner, whose file is given, over sources or over an unpacked package, with the files that it
 * looks at there. Prints what it finds and ends with 1; with 0 if that is nothing.
 */
const [scanner = '', kind, folder = ''] = process.argv.slice(2);

const { analyzePackage, SOURCE_FILE_PATTERNS } = await import(pathToFileURL(scanner).href);
const patterns = kind === 'source' ? SOURCE_FILE_PATTERNS : ['**/*.js', 'package.json'];
const { passed, message, details } = await analyzePackage(folder, patterns);

if (message) console.log(message);
if (details) console.log(details);
process.exit(passed && !message ? 0 : 1);
