import { CREDITS_BALANCE_FIELD } from '../../../../nodes/shared/spec/account.ts';
import { NOTHING, type ErrorGroup } from './entry.mts';

export const GUARDS: ErrorGroup = {
	title: 'Before paying: the guards',
	intro:
		'_Options > Max Credits per Run_ and _Check Balance_ end a run before its first job. With _On Error: Continue_, the items that would cost something become errors.',
	guide: ['Guards', 'money.md#guards'],
	charged: NOTHING,
	entries: [
		{
			message: '<items> would cost <credits>, more than Max Credits per Run (<limit>)',
			means:
				'All items of the run count together, each at its highest possible price. The description names the most expensive ones.',
			advice: 'Give the node fewer or cheaper items, or raise the limit.',
		},
		{
			message:
				'What <items> would cost is not known, so Max Credits per Run (<limit>) cannot be kept',
			means:
				'The service does not document that price: not for the operation, or not for the values that an item has.',
			advice:
				'Choose values whose price is documented, give such items to a node without the limit, or remove it.',
		},
		{
			message: 'The limits of this run are not known: <reason> (row <number>)',
			means: 'The limit that one item gives cannot be read. It would apply to all items.',
			advice: 'Correct the value or its expression.',
		},
		{
			message: '<credits> missing: <items> would cost <credits>, and the balance is <credits>',
			means: '_Check Balance_ has read the balance, and it does not cover the run.',
			advice: 'Buy credits, or give the node fewer or cheaper items.',
		},
		{
			message: 'The credit balance could not be read: <reason>',
			also: [`The credit balance could not be read: its answer has no ${CREDITS_BALANCE_FIELD}`],
			means:
				'_Check Balance_ could not read the balance to compare with. The reason is one of the errors above.',
			advice: 'Try again later, or turn off _Options > Check Balance_.',
		},
		{
			message:
				'The credit balance was checked. Not counted, since its price is not known: <items>.',
			means: 'A hint, not an error: the balance covers those items whose price is documented.',
			charged: 'The jobs of the run, as usual.',
			advice: 'Nothing, if you know what those items cost.',
		},
		{
			message:
				'Each input item is a paid job, and nothing limits what this run may cost. To set a limit, add Options > Max Credits per Run.',
			means:
				'A hint, not an error, in the panel before a run: the input has several items, and neither _Max Credits per Run_ nor _Estimate Only_ is added.',
			advice: 'Nothing, if you know how many items there are and what each costs.',
		},
		{
			message: 'Estimate only, no job was created: <items>, <credits>',
			means: 'A hint, not an error: _Options > Estimate Only_ is on.',
			advice: 'Turn the option off to start the jobs.',
		},
	],
};
