import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import parser from '@typescript-eslint/parser';
import n8nNodes from 'eslint-plugin-n8n-nodes-base';

/**
 * ESLint's configuration for a published package, as in @n8n/scan-community-package: n8n verifies
 * no package that has a problem. (`n8n-node lint` has the rules for the sources.)
 */
export default [
	n8nCommunityNodesPlugin.configs.recommended,
	{ rules: { 'no-console': 'error' }, plugins: { 'n8n-nodes-base': n8nNodes } },
	{ files: ['package.json'], rules: n8nNodes.configs.community.rules },
	{ files: ['**/*.json'], languageOptions: { parser } },
].flat();
