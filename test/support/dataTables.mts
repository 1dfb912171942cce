import type { N8nClient } from '../../tools/lib/n8nClient.mts';

/** A data table of n8n, as its own page shows it. */
export interface DataTable {
	/** Oldest first. */
	rows(): Promise<any[]>;
	insert(...rows: object[]): Promise<void>;
}

/** @param name of a data table that exists */
export async function openDataTable(client: N8nClient, name: string): Promise<DataTable> {
	const filter = encodeURIComponent(JSON.stringify({ name }));
	const { data } = await client.request('GET', `/rest/data-tables-global?filter=${filter}`);
	const [{ id, projectId }] = data;
	const address = `/rest/projects/${projectId}/data-tables/${id}`;
	return {
		rows: async () => (await client.request('GET', `${address}/rows?sortBy=id:asc`)).data,
		insert: async (...rows) => {
			await client.request('POST', `${address}/insert`, { data: rows });
		},
	};
}
