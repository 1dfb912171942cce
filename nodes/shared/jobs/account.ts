import type { Clock } from './clock';
import { durationsOf, type Durations } from './durations';
import { lookoutOf, type Lookout } from './lookout';
import { slotsOf, type Slots } from './slots';

/** What all runs of an account share in this process; its pacer is in the service door. */
export interface Account {
	slots: Slots;
	lookout: Lookout;
	durations: Durations;
}

/** @param id as the service door names it */
export function accountOf(id: string, clock: Clock): Account {
	return {
		slots: slotsOf(id, clock),
		lookout: lookoutOf(id, clock),
		durations: durationsOf(id, clock),
	};
}
