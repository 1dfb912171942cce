import fs from 'node:fs/promises';

import { measureDay } from './bench/day.mts';
import { measureFleet } from './bench/fleet.mts';
import { withHighlights } from './bench/highlights.mts';
import { measureImages } from './bench/images.mts';
import { measureLag } from './bench/lag.mts';
import { measureLoad } from './bench/load.mts';
import { measureMemory } from './bench/memory.mts';
import { measureParked } from './bench/parked.mts';
import { measureQueue } from './bench/queue.mts';
import { startRealServer } from './bench/realServer.mts';
import { exitCodeOf, type PartResult, type Results } from './bench/result.mts';
import { measureShort } from './bench/short.mts';
import { partText, withBenchTable, withBounds } from './bench/table.mts';
import { readArguments } from './lib/arguments.mts';
import { ensureN8n, type N8nInstall } from './lib/n8nInstall.mts';
import { buildPackage } from './lib/packageBuild.mts';
import { requireQueueServices } from './lib/queuePlace.mts';
import { step } from './lib/run.mjs';

/** The files of the results, of their table, and of their bounds. */
const RESULTS = 'docs/bench.json';
const PAGE = 'docs/speed.md';
const BOUNDS_PAGE = 'docs/maintainers/speed.md';

const BOUNDS = 'tools/bench/bounds.mts';

const README = 'README.md';

interface Part {
	shows: string;
	minutes: number;
	/** What it needs besides the development dependencies. */
	needs?: 'package' | 'n8n' | 'queue';
	/** Gets what it needs; the arguments are undefined if it needs nothing. */
	measure: (n8n: N8nInstall, tarball: string) => Promise<PartResult>;
}

const PARTS: Record<string, Part> = {
	a: {
		shows: '20 images, and three such batches in a row, in a real n8n, beside its own nodes',
		minutes: 5,
		needs: 'n8n',
		measure: async (...needed) => await measureImages(await startRealServer(...needed)),
	},
	b: {
		shows: 'how late the end of a job is seen and how many looks that takes (virtual time)',
		minutes: 0.3,
		measure: measureLag,
	},
	d: {
		shows: 'a day of 10,000 jobs (virtual time)',
		minutes: 0.7,
		measure: measureDay,
	},
	e: {
		shows: 'what 20 and 200 executions that wait durably cost n8n, and a kill of it',
		minutes: 22,
		needs: 'n8n',
		measure: measureParked,
	},
	f: {
		shows: 'short jobs, with histories that can be trusted and others (virtual time)',
		minutes: 1,
		measure: measureShort,
	},
	g: {
		shows: 'processes that share an account (virtual time)',
		minutes: 4,
		measure: measureFleet,
	},
	h: {
		shows: "n8n's queue mode with 1 and 3 workers",
		minutes: 6,
		needs: 'queue',
		measure: measureQueue,
	},
	i: {
		shows: 'what loading the package costs, beside another one',
		minutes: 0.5,
		needs: 'package',
		measure: async (_, tarball) => await measureLoad(tarball),
	},
	j: {
		shows: 'memory and processor time of 100 to 10,000 items',
		minutes: 6,
		measure: measureMemory,
	},
};

const NAMES = Object.keys(PARTS);

const USAGE = `npm run bench [-- <part> ...] [-- --from <file>] [-- --json <file>]

Measures the package against the simulated service, and says whether it keeps the bounds in
${BOUNDS} (exit code 1 when it does not). A goal that is not reached is no failure.
All parts when none is named, in this order:
${NAMES.map((name) => `  ${name}  ${PARTS[name]!.shows} (${lengthOf(PARTS[name]!)})`).join('\n')}
The results go to ${RESULTS}, beside those that other parts had there. The tables in ${PAGE}
and ${BOUNDS_PAGE} and the first lines of ${README} are written anew from them.
  --from  measures nothing, and takes the results from a file: after a change of a bound,
          "npm run bench -- --from ${RESULTS}" writes the tables anew
  --json  writes the results of this run to a file instead`;

export default async function main() {
	const file = { type: 'string' } as const;
	const given = readArguments(USAGE, { from: file, json: file }, NAMES);
	if (!given) return;
	const { from, json } = given.values;
	const asked = given.positionals;
	const parts = NAMES.filter((part) => asked.length === 0 || asked.includes(part));
	const results = from ? await measuredBefore(from) : await measured(parts);
	if (json) await fs.writeFile(json, jsonOf(results));
	else await keep(results);
	return exitCodeOf(results);
}

async function measuredBefore(file: string) {
	const results: Results = JSON.parse(await fs.readFile(file, 'utf8'));
	for (const result of Object.values(results)) console.log(partText(result));
	return results;
}

/** Runs the parts one after another, and prints each result at once. */
async function measured(parts: string[]) {
	const needs = new Set(parts.map((part) => PARTS[part]!.needs));
	const n8n = needs.has('n8n') || needs.has('queue') ? await ensureN8n() : undefined;
	if (n8n && needs.has('queue')) await requireQueueServices(n8n);
	const tarball = n8n || needs.has('package') ? await buildPackage() : undefined;
	const results: Results = {};
	for (const part of parts) {
		const result = await step(`Part ${part}`, () => PARTS[part]!.measure(n8n!, tarball!));
		results[part] = { at: new Date().toISOString(), ...result };
		console.log(partText(result));
	}
	return results;
}

/** Replaces the earlier results of the same parts, and writes all pages that show results. */
async function keep(results: object) {
	const before = JSON.parse(await fs.readFile(RESULTS, 'utf8').catch(() => '{}'));
	const merged = { ...before, ...results };
	const all = Object.fromEntries(
		NAMES.filter((name) => name in merged).map((name) => [name, merged[name]]),
	);
	await fs.writeFile(RESULTS, jsonOf(all));
	await fs.writeFile(PAGE, withBenchTable(await fs.readFile(PAGE, 'utf8'), all));
	await fs.writeFile(BOUNDS_PAGE, withBounds(await fs.readFile(BOUNDS_PAGE, 'utf8'), all));
	await fs.writeFile(README, withHighlights(await fs.readFile(README, 'utf8'), all));
	console.log(
		`\nWritten: ${RESULTS}, tables in ${PAGE} and ${BOUNDS_PAGE}, and lines of ${README}`,
	);
}

function jsonOf(results: object) {
	return `${JSON.stringify(results, undefined, '\t')}\n`;
}

function lengthOf({ minutes }: { minutes: number }) {
	return minutes < 1 ? `${Math.round(minutes * 60)} s` : `${minutes} min`;
}
