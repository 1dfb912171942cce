import fs from 'node:fs';
import path from 'node:path';

/** Whether the n8n that the tests run with is older than a version such as `2.20`. */
export function isN8nBefore(version: string): boolean {
	const folder = path.join(process.env.MEDIAGEN_N8N_FOLDER!, 'node_modules', 'n8n');
	const own = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')).version;
	return own.localeCompare(version, 'en', { numeric: true }) < 0;
}
