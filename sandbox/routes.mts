import { CREDITS_PATH } from '../nodes/shared/spec/account.ts';
import {
	GENERATION_ROUTE,
	type CreateOperation,
	type Operation,
} from '../nodes/shared/spec/operation.ts';
import { GET_CATALOG, OTHER_OPERATION } from '../nodes/shared/spec/music.ts';
import { documented, type Served } from './documented.mts';
import { inOpenNames, REMIX } from './music/operations.mts';
import type { SandboxSettings } from './settings.mts';

export type RouteKind = Exclude<Operation['kind'], 'recover'> | 'catalog' | 'media';

interface Route {
	method: string;
	/** `{name}` stands for one segment. */
	path: string;
	/** Matches a request's path. */
	matches: RegExp;
	kind: RouteKind;
	/** Operations at this path, told apart by their fixed values; none for routes that no catalog lists. */
	operations: readonly Served[];
}

export type RouteMatch = NonNullable<ReturnType<typeof findRoute>>;

const MEDIA_PATH = '/media/{file}';

/** Name of an operation in journal, charges and fault rules. */
export function operationName({
	resource,
	operation,
}: Pick<Operation, 'resource' | 'operation'>): string {
	return `${resource}.${operation}`;
}

/** The routes last made from each settings, with what they were made from. */
const known = new WeakMap<SandboxSettings, { from: string; routes: Route[] }>();

/** All routes under these settings, those with fewer placeholders first. */
export function routesOf(settings: SandboxSettings): Route[] {
	const { openPaths, shapes } = settings;
	// The catalogs are left out, as they cannot be changed.
	const from = JSON.stringify([openPaths, shapes.statusPath, shapes.music]);
	const last = known.get(settings);
	if (last?.from === from) return last.routes;
	const routes = makeRoutes(settings);
	known.set(settings, { from, routes });
	return routes;
}

function makeRoutes(settings: SandboxSettings): Route[] {
	const operations = [...settings.catalogs.flatMap((catalog) => catalog.operations), REMIX];
	const creations = operations.filter((operation) => operation.kind === 'create');
	const routes: Route[] = [
		...operations.flatMap((operation) => operationRoute(operation, settings)),
		...creations.map((operation) => readRoute('status', statusPath(operation, settings))),
		readRoute('status', GENERATION_ROUTE.path),
		readRoute('record', CREDITS_PATH),
		readRoute('media', MEDIA_PATH),
	];
	return merged(routes).sort((a, b) => placeholders(a.path) - placeholders(b.path));
}

/** Where the state of a job is read whose creation did not answer with a `generation_id`. */
export function statusPath(
	{ status }: Pick<CreateOperation, 'status'>,
	settings: SandboxSettings,
): string {
	if (typeof status.path === 'string') return status.path;
	return settings.openPaths[status.path.openPoint] ?? settings.shapes.statusPath;
}

export function findRoute(routes: readonly Route[], method: string, path: string) {
	for (const route of routes) {
		const found = route.method === method ? route.matches.exec(path) : null;
		// What the placeholders stand for, in order, decoded.
		if (found) return { route, parameters: found.slice(1).map(decodeURIComponent) };
	}
	return undefined;
}

function operationRoute(operation: Operation, { openPaths, shapes }: SandboxSettings): Route[] {
	const { method } = operation;
	// Recovering has no requests of its own; the other operation stands for those that no table has.
	if (operation.kind === 'recover' || operation.operation === OTHER_OPERATION.operation) return [];
	// By name: the demo's loader may load a table twice.
	const kind = operation.operation === GET_CATALOG.operation ? 'catalog' : operation.kind;
	const template =
		typeof operation.path === 'string' ? operation.path : openPaths[operation.path.openPoint];
	if (template === undefined) return [];
	const path = template.replace(/\?.*/, '').replace('{operation}', operation.operation);
	const operations = [inOpenNames(documented(operation), template, shapes.music)];
	return [newRoute({ method, path, kind, operations })];
}

const readRoute = (kind: RouteKind, path: string): Route =>
	newRoute({ method: 'GET', path, kind, operations: [] });

/** A trailing slash counts, as it does in the document. */
function newRoute(route: Omit<Route, 'matches'>): Route {
	const literals = route.path.split(/\{\w+\}/).map((text) => text.replace(/[^\w/-]/g, '\\$&'));
	return { ...route, matches: new RegExp(`^${literals.join('([^/]+)')}$`) };
}

function merged(routes: readonly Route[]): Route[] {
	const byPath = new Map<string, Route>();
	for (const route of routes) {
		const key = `${route.method} ${pattern(route.path)}`;
		const known = byPath.get(key);
		const operations = [...(known?.operations ?? []), ...route.operations];
		byPath.set(key, { ...(known ?? route), operations });
	}
	return [...byPath.values()];
}

/** A path without the names of its placeholders: what tells two routes apart. */
export const pattern = (path: string): string => path.replace(/\{\w+\}/g, '{}');

const placeholders = (path: string): number => path.split('{').length - 1;
