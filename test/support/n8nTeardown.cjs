/** Ends what n8nSetup.mjs has started. */
module.exports = async () => await globalThis.endMediaGenShared();
