import type { N8nClient } from '../../tools/lib/n8nClient.mts';

/** The requests that *Settings > Community nodes* in n8n's editor makes. */

export const PACKAGE = 'n8n-nodes-mediagen';

const ROUTE = '/rest/community-packages';

/** A package as n8n lists it. */
export interface InstalledPackage {
	packageName: string;
	installedVersion: string;
	/** The latest version, where another one is installed. */
	updateAvailable?: string;
	failedLoading?: boolean;
	installedNodes: Array<{ name: string; type: string }>;
}

/** @param version the latest when left out */
export async function installPackage(
	client: N8nClient,
	version?: string,
): Promise<InstalledPackage> {
	return await client.request('POST', ROUTE, { name: PACKAGE, version });
}

export async function updatePackage(client: N8nClient, version: string): Promise<InstalledPackage> {
	return await client.request('PATCH', ROUTE, { name: PACKAGE, version });
}

export async function uninstallPackage(client: N8nClient): Promise<void> {
	await client.request('DELETE', `${ROUTE}?name=${PACKAGE}`);
}

export async function installedPackages(client: N8nClient): Promise<InstalledPackage[]> {
	return await client.request('GET', ROUTE);
}

/** Settings of an n8n that installs whatever is published, and asks for nothing else on the internet. */
export const OPEN_TO_PACKAGES = {
	N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
	// What its editor offers is read.
	N8N_DISABLE_UI: 'false',
	N8N_DISABLED_MODULES: 'mcp-registry',
};

/** The types of the package's nodes that n8n offers, without the tools that it derives from them. */
export async function offeredTypes(client: N8nClient): Promise<string[]> {
	const names = (await client.nodeTypes()).map(({ name }) => name);
	return names.filter((name) => name.startsWith(`${PACKAGE}.`) && !name.endsWith('Tool')).sort();
}
