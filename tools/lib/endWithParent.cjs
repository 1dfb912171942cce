/**
 * Loaded into n8n before its own code, but not into its children. The process that started n8n holds the other end of a
 * channel. When that end closes, the process is gone, even if it was killed, so n8n ends too, with everything it
 * started.
 */
process.on('disconnect', () => process.kill(-process.pid, 'SIGKILL'));
