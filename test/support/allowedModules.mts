import ts from 'typescript';

/** What nodes and credential may import: n8n brings it, in every version that the package supports. */
export const ALLOWED_MODULES = ['crypto', 'n8n-workflow', 'zod/v3'];

/** The modules that a text imports or requires, types too, without those beside it. */
export function foreignModules(text: string): string[] {
	const { importedFiles } = ts.preProcessFile(text, true, true);
	return importedFiles.map(({ fileName }) => fileName).filter((name) => !/^\.\.?\//.test(name));
}
