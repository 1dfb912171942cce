/** Ends what editorSetup.mjs has started. */
module.exports = async () => await globalThis.endMediaGenEditor();
