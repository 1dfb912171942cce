import fs from 'node:fs';
import path from 'node:path';

import { ALLOWED_MODULES, foreignModules } from '../../support/allowedModules.mts';

/**
 * n8n's lint rule lets nodes import every development dependency, since some packages bundle theirs. This
 * one bundles none: at its users', such a module is not there.
 */

const FILES = ['nodes', 'credentials'].flatMap((folder) =>
	fs
		.readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.ts'))
		.map((name) => path.join(folder, name)),
);

test('nodes and credential import what n8n brings, and nothing else', () => {
	const imports = FILES.flatMap((file) =>
		foreignModules(fs.readFileSync(file, 'utf8')).map((module) => ({ file, module })),
	);
	expect(imports.length).toBeGreaterThan(50);
	expect(imports.filter(({ module }) => !ALLOWED_MODULES.includes(module))).toEqual([]);
});
