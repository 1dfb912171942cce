import type { EngineWorkflow, RunData, Status } from './engineTypes.mts';

/** An execution in the database. */
export interface Row {
	id: string;
	status: Status;
	mode: 'trigger' | 'integrated' | 'retry';
	/** ms since 1970. */
	waitTill: number | null;
	/** `RunData` as JSON: changes that a process makes in memory are not in it. */
	data: string;
	workflow: EngineWorkflow;
}

const FINISHED: readonly Status[] = ['success', 'error'];

/** n8n's database of executions. It outlives the process. */
export class EngineStore {
	readonly rows = new Map<string, Row>();
	/** Called with all data that is stored. */
	onWrite: (data: string) => void = () => {};
	private created = 0;

	get list(): Row[] {
		return [...this.rows.values()];
	}

	create(row: Pick<Row, 'mode' | 'data' | 'workflow'>): string {
		const id = String(++this.created);
		this.onWrite(row.data);
		this.rows.set(id, { ...row, id, status: 'new', waitTill: null });
		return id;
	}

	/** @throws Error when there is none */
	row(id: string): Row {
		const row = this.rows.get(id);
		if (!row) throw new Error(`There is no execution ${id}`);
		return row;
	}

	/** A copy; `undefined` when it has been deleted. */
	read(id: string): RunData | undefined {
		const row = this.rows.get(id);
		return row && (JSON.parse(row.data) as RunData);
	}

	/** @returns whether the status was the one that is required */
	claim(id: string, from: Status): boolean {
		const row = this.rows.get(id);
		if (row?.status !== from) return false;
		Object.assign(row, { status: 'running', waitTill: null });
		return true;
	}

	/** *Save execution progress*. */
	progress(id: string, data: string): void {
		const row = this.rows.get(id);
		if (!row || FINISHED.includes(row.status) || row.status === 'canceled') return;
		this.onWrite(data);
		Object.assign(row, { data, status: 'running' });
	}

	/** Stores an execution that has ended or parks. */
	settle(id: string, facts: Pick<Row, 'status' | 'waitTill' | 'data'>): void {
		const row = this.rows.get(id);
		this.onWrite(facts.data);
		if (row && row.status !== 'canceled') Object.assign(row, facts);
	}
}
