import ts from 'typescript';

/** Modules that nodes and credential may import: every n8n that the package supports brings them. */
export const ALLOWED_MODULES = ['crypto', 'n8n-workflow', 'zod/v3'];

/** The modules that a source text imports or requires, even for types only, except relative ones. */
export function foreignModules(text: string): string[] {
	const { importedFiles } = ts.preProcessFile(text, true, true);
	return importedFiles.map(({ fileName }) => fileName).filter((name) => !/^\.\.?\//.test(name));
}
