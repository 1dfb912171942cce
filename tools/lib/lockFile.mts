import { ToolError } from './errors.mjs';

/** The parts of a package-lock.json of version 3 that are used here. */
interface Lock {
	packages: Record<string, LockEntry>;
}

interface LockEntry {
	dev?: boolean;
	optionalDependencies?: Record<string, string>;
	[fact: string]: unknown;
}

/** Operating systems in names of compiled packages, as npm calls them. */
const SYSTEMS = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32'];

/**
 * Adds entries for the optional packages that a lock names without having one. npm leaves them out if the registry
 * lacks them, and `npm ci` then takes the lock for outdated. The new entries have no `integrity`, since nothing was
 * downloaded.
 */
export function completeLock(lock: Lock): { lock: Lock; added: string[] } {
	const added = missingOptionals(lock).map(({ name, version, dev }) => {
		if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) {
			throw new ToolError(`${name} is wanted as ${version}, and only one version can be added.`);
		}
		const { os, cpu, libc } = platformOf(name);
		// In npm's own order, so that its next install changes nothing.
		const machine = { cpu, ...(dev && { dev }), ...(libc && { libc }), optional: true, os };
		return [`node_modules/${name}`, { version, ...machine }] as const;
	});
	const packages = Object.entries({ ...lock.packages, ...Object.fromEntries(added) });
	const inOrder = packages.sort(([a], [b]) => a.localeCompare(b, 'en'));
	const folders = [...new Set(added.map(([folder]) => folder))];
	return { lock: { ...lock, packages: Object.fromEntries(inOrder) }, added: folders };
}

/** The optional packages that a lock names but has no entry for. */
export function missingOptionals({ packages }: Lock) {
	return Object.entries(packages).flatMap(([folder, { optionalDependencies = {}, dev }]) =>
		Object.entries(optionalDependencies)
			.filter(([name]) => !foldersSeenFrom(folder).some((seen) => packages[`${seen}${name}`]))
			.map(([name, version]) => ({ name, version, dev })),
	);
}

/** Where Node looks for what a package requires, the nearest first. */
function foldersSeenFrom(folder: string) {
	const seen = [];
	for (let at = folder; at; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
		seen.push(`${at}/node_modules/`);
	}
	return [...seen, 'node_modules/'];
}

/** Which machines a compiled package is for, by its name: `<package>-<os>-<cpu>[-<abi>]`. */
export function platformOf(name: string): { os: string[]; cpu: string[]; libc?: string[] } {
	const words = name.split(/[-/]/);
	const at = words.findIndex((word) => SYSTEMS.includes(word));
	const [os, cpu, abi = ''] = words.slice(at);
	if (at < 0 || !os || !cpu) {
		throw new ToolError(`The name of ${name} does not tell for which machines it is.`);
	}
	const libc = os !== 'linux' ? '' : abi.startsWith('musl') ? 'musl' : abi && 'glibc';
	return { os: [os], cpu: [cpu], ...(libc && { libc: [libc] }) };
}
