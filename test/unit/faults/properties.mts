import { creationsOf } from './facts.mts';
import { fiveRunning, withinLimits, withinPace } from './limitProperties.mts';
import {
	errorNamesAll,
	nothingLost,
	notOnDoubt,
	paidOnce,
	trueCounts,
	trueWords,
} from './moneyProperties.mts';
import type { Play } from './play.mts';
import type { Property } from './property.mts';
import { enduring, paired, secret, stopsAtOnce } from './resultProperties.mts';

const PROPERTIES: Record<string, Property> = {
	paidOnce,
	notOnDoubt,
	nothingLost,
	errorNamesAll,
	trueWords,
	trueCounts,
	paired,
	fiveRunning,
	withinLimits,
	withinPace,
	enduring,
	stopsAtOnce,
	secret,
};

/** What is wrong with how a scenario went, each with the name of the property. */
export function violations(play: Play): string[] {
	const creations = creationsOf(play);
	return Object.entries(PROPERTIES).flatMap(([name, property]) =>
		property(play, creations).map((text) => `${name}: ${text}`),
	);
}
