/**
 * Loaded into n8n before its own code, and not into its children. The process that started it holds
 * the other end of a channel: when that end closes, the starter is gone, however hard it was killed,
 * and n8n goes too, with everything it started.
 */
process.on('disconnect', () => process.kill(-process.pid, 'SIGKILL'));
