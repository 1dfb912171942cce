import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { JOB_TRIGGER } from '../../../nodes/shared/spec/catalogs.ts';
import { isWished, readWishes } from '../../../nodes/shared/trigger/wishes.ts';

const wishesOf = (parameters: IDataObject) =>
	readWishes(
		{
			getNodeParameter: (name: string, fallback: unknown) =>
				name in parameters ? parameters[name] : fallback,
		} as unknown as IPollFunctions,
		JOB_TRIGGER,
	);

const FORM = { events: ['completed'], mediaType: 'all' };

describe('Events', () => {
	it.each([
		['as the form has them', ['completed', 'failed'], ['completed', 'failed']],
		['as a text', 'failed', ['failed']],
		['as a list in a text', 'completed, failed', ['completed', 'failed']],
		['with spaces and lines', ' completed\n failed ;', ['completed', 'failed']],
		['as lists within lists', [['completed'], 'failed completed'], ['completed', 'failed']],
		['twice', ['failed', 'failed'], ['failed']],
	])('may come %s', (_, events, states) => {
		expect([...wishesOf({ ...FORM, events }).states]).toEqual(states);
	});

	it.each([
		['nothing', [], 'nothing is given'],
		['an expression that gives nothing', undefined, 'nothing is given'],
		['null', null, 'nothing is given'],
		['blanks', '  ', 'nothing is given'],
		['a number', 0, '"0"'],
		['an object', { completed: true }, 'nothing is given'],
		['a state that is no end', ['processing'], '"processing"'],
		['the label', 'Generation Finished', '"Generation"'],
		['one that is wrong among others', ['completed', 'done'], '"done"'],
		['what objects inherit', 'constructor', '"constructor"'],
	])('must not be %s', (_, events, named) => {
		const read = () => wishesOf({ ...FORM, events: events as IDataObject[string] });
		expect(read).toThrow(
			'Events (events) must be completed (Generation Finished) or failed (Generation Failed)',
		);
		expect(read).toThrow(named);
	});

	it('a wrong one is not shown at length', () => {
		const read = () => wishesOf({ ...FORM, events: 'x'.repeat(10_000) });
		expect(read).toThrow(/^.{1,400}$/s);
	});
});

describe('Media Type', () => {
	it.each(['all', 'image', 'video', ' image '])('may be %j', (mediaType) => {
		expect(wishesOf({ ...FORM, mediaType }).media).toBe(mediaType.trim());
	});

	it.each(['', 'audio', 'Image', 'images', '__proto__'])('must not be %j', (mediaType) => {
		expect(() => wishesOf({ ...FORM, mediaType })).toThrow('Media Type (mediaType) must be');
	});
});

describe('Only These Job IDs', () => {
	it.each([
		['none', {}, []],
		['a text', { jobIds: 'a, b\nc;d' }, ['a', 'b', 'c', 'd']],
		['a number', { jobIds: 70_001 }, ['70001']],
		['a list', { jobIds: ['a', 17] }, ['a', '17']],
	])('%s', (_, options, expected) => {
		expect([...wishesOf({ ...FORM, options }).jobIds]).toEqual(expected);
	});
});

it.each([' ', null, [], {}, true])('Only These Job IDs must not be %j', (jobIds) => {
	const read = () => wishesOf({ ...FORM, options: { jobIds } });
	expect(read).toThrow('Only These Job IDs (jobIds) must have at least one job ID');
});

describe('a job', () => {
	const job = { state: 'completed', id: 'a', otherIds: ['b'], type: 'image' };

	it.each([
		['of whatever media', {}, job, true],
		['of another end', {}, { ...job, state: 'failed' }, false],
		['of the media', { mediaType: 'image' }, job, true],
		['of other media', { mediaType: 'video' }, job, false],
		['of media under another name', { mediaType: 'video' }, { ...job, type: 'clip' }, false],
		['of unknown media', { mediaType: 'video' }, { ...job, type: undefined }, undefined],
		[
			'of unknown media and another end',
			{ mediaType: 'video' },
			{ state: 'failed', id: 'a', otherIds: [] },
			false,
		],
		['that is named by another identifier', { options: { jobIds: 'b' } }, job, true],
		['that is not named', { options: { jobIds: 'c' } }, job, false],
	])('%s: %#', (_, parameters, of, expected) => {
		expect(isWished(wishesOf({ ...FORM, ...parameters }), of)).toBe(expected);
	});
});
