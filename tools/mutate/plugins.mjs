/** Properties of the tables that hold texts for people, which mean nothing to the code. */
const SHOWN = new Set(
	'label description placeholder help action warning doubt message of'.split(' '),
);

/**
 * Leaves out mutants of texts for people: a test of such a text would only repeat it.
 *
 * @typedef {{ node: any, parent: any }} NodePath
 */
const words = {
	/** @param {NodePath} at */
	shouldIgnore({ node, parent }) {
		const text = textOf(node);
		if (text === undefined) return undefined;
		const isShown = parent.type === 'ObjectProperty' && SHOWN.has(parent.key.name);
		return isShown || text.includes(' ') ? 'Text for people' : undefined;
	},
};

/** @param {any} node */
function textOf(node) {
	if (node.type === 'StringLiteral') return node.value;
	if (node.type !== 'TemplateLiteral') return undefined;
	return node.quasis.map((/** @type {any} */ { value }) => value.raw).join('');
}

export const strykerPlugins = [{ kind: 'Ignore', name: 'words', value: words }];
