const fs = require('node:fs');

/**
 * Loaded into n8n: on SIGUSR2, n8n collects garbage and writes its memory usage, in bytes, to the file that the
 * environment names.
 */
process.on('SIGUSR2', () => {
	for (let times = 0; times < 3; times++) globalThis.gc?.();
	fs.writeFileSync(process.env.MEDIAGEN_MEMORY_FILE ?? '', JSON.stringify(process.memoryUsage()));
});
