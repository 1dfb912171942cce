import { alignedTable, between } from './docs/markdown.mts';

const HEAD = ['n8n', 'Node', 'End-to-end tests passed', 'Durable waiting', 'Durable tests passed'];

interface Counts {
	passed: number;
	failed: number;
}

export interface Tried {
	n8n: string;
	node: number;
	isDurable: boolean;
	e2e: Counts;
	durable: Counts;
}

export function withCompatTable(readme: string, tried: readonly Tried[]): string {
	return between(readme, 'compat', alignedTable([HEAD, ...tried.map(rowOf)]));
}

const rowOf = ({ n8n, node, isDurable, e2e, durable }: Tried) => [
	n8n,
	String(node),
	passedOf(e2e),
	isDurable ? 'yes' : 'waits in process, and says so',
	passedOf(durable),
];

const passedOf = ({ passed, failed }: Counts) => `${passed} of ${passed + failed}`;
