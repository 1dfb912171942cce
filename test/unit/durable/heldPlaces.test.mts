import {
	holdPlaces,
	releasePlaces,
	takePlaces,
} from '../../../nodes/shared/durable/workOnItems.ts';
import type { Place } from '../../../nodes/shared/limits/places.ts';
import { VirtualClock } from '../../support/virtualClock.mts';

/** Places that a worker holds while n8n stores what it is about to create. */

const place = () => ({ release: jest.fn() }) as unknown as jest.Mocked<Place>;

let clock: VirtualClock;

beforeEach(() => (clock = new VirtualClock()));

test('nobody comes for them: they are given back after half a minute', async () => {
	const places = [place(), place()];
	holdPlaces('dead', places, clock);
	await clock.advance(29_999);
	for (const { release } of places) expect(release).not.toHaveBeenCalled();
	await clock.advance(1);
	for (const { release } of places) expect(release).toHaveBeenCalledTimes(1);
	expect(takePlaces('dead')).toEqual([]);
});

test('who comes for them has them, and gives them back itself', async () => {
	const own = place();
	holdPlaces('alive', [own], clock);
	expect(takePlaces('other')).toEqual([]);
	expect(takePlaces('alive')).toEqual([own]);
	expect(takePlaces('alive')).toEqual([]);
	expect(clock.sleeping).toBe(0);
	await clock.advance(60_000);
	expect(own.release).not.toHaveBeenCalled();
});

test('those that are held anew are held from then on', async () => {
	const [first, second] = [place(), place()];
	holdPlaces('worker', [first], clock);
	await clock.advance(20_000);
	expect(takePlaces('worker')).toEqual([first]);
	holdPlaces('worker', [second], clock);
	await clock.advance(20_000);
	expect(second.release).not.toHaveBeenCalled();
	releasePlaces('worker');
	expect(second.release).toHaveBeenCalledTimes(1);
	expect(first.release).not.toHaveBeenCalled();
});
