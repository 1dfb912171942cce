import { priceOf } from '../../../nodes/shared/spec/price.ts';
import type { CreateOperation, Field, Price } from '../../../nodes/shared/spec/types.ts';
import { MADE_UP_OPERATION } from '../../support/madeUpOperations.mts';

/** The hardest prices of the document must fit the form in which prices are written down. */
const priced = (price: Price, fields: Field[] = []): CreateOperation => ({
	...MADE_UP_OPERATION,
	fields,
	price,
});

const toggle = (name: string, value?: boolean): Field => ({
	name,
	label: name,
	type: 'toggle',
	presence: 'optional',
	default: value,
});

describe('a matrix with a discount for the dearer options (family D)', () => {
	const cell = (resolution: string, duration: string, sound: boolean, credits: number) => ({
		when: { resolution: [resolution], duration: [duration], generate_audio: [sound] },
		credits,
	});
	const operation = priced({
		shown: true,
		rates: [
			cell('480p', '4', false, 8),
			cell('480p', '4', true, 14),
			cell('720p', '8', false, 28),
			cell('720p', '12', true, 84),
		],
		discounts: [{ when: { prompt_directory_optin: [true] }, credits: 10, from: 28 }],
	});

	test.each([
		['480p', '4', false, false, 8],
		['480p', '4', true, true, 14],
		['720p', '8', false, true, 18],
		['720p', '12', true, true, 74],
		['720p', '12', true, false, 84],
	])('%s, %s s, audio %s, opt-in %s: %i', (resolution, duration, audio, optin, credits) => {
		const request = {
			resolution,
			duration,
			generate_audio: audio,
			prompt_directory_optin: optin,
		};
		expect(priceOf(operation, request)).toEqual({ credits, exact: true });
	});

	test('what is not known is estimated at its highest', () => {
		expect(priceOf(operation, { resolution: '480p', duration: '4' })).toEqual({
			credits: 14,
			exact: false,
			reason: 'The price depends on generate_audio',
		});
	});

	test('a value without a price has none', () => {
		expect(priceOf(operation, { resolution: '4k' })).toMatchObject({ credits: null, exact: false });
	});
});

test('a surcharge (family A): fast 100, with fallback 300', () => {
	const operation = priced(
		{
			shown: true,
			rates: [
				{ when: { model: ['modelA_fast'] }, credits: 100 },
				{ when: { model: ['modelA'] }, credits: 250 },
			],
			surcharges: [{ when: { enableFallback: [true] }, credits: 200 }],
		},
		[toggle('enableFallback', false)],
	);
	expect(priceOf(operation, { model: 'modelA_fast' })).toEqual({ credits: 100, exact: true });
	expect(priceOf(operation, { model: 'modelA_fast', enableFallback: true }).credits).toBe(300);
	expect(priceOf(operation, { model: 'modelA', enableFallback: true }).credits).toBe(450);
});

test('a price per second, and a discount of unknown amount (family B 3.0)', () => {
	const operation = priced({
		shown: true,
		rates: [{ when: { qualityMode: ['pro'], sound: [true] }, credits: 40 }],
		perUnitOf: 'durationSeconds',
		discounts: [{ when: { prompt_directory_optin: [true] }, credits: null }],
	});
	const request = {
		qualityMode: 'pro',
		sound: true,
		durationSeconds: 15,
		prompt_directory_optin: false,
	};
	expect(priceOf(operation, request)).toEqual({ credits: 600, exact: true });
	expect(priceOf(operation, { ...request, prompt_directory_optin: true })).toEqual({
		credits: 600,
		exact: false,
		reason: 'By how much prompt_directory_optin changes the price is not documented',
	});
	expect(priceOf(operation, { qualityMode: 'pro', sound: true })).toMatchObject({ credits: null });
});

test('a discount that is on by default (standard video)', () => {
	const operation = priced(
		{
			shown: true,
			rates: [{ credits: 130 }],
			discounts: [{ when: { prompt_directory_optin: [true] }, credits: 10 }],
		},
		[toggle('prompt_directory_optin', true)],
	);
	expect(priceOf(operation, {}).credits).toBe(120);
	expect(priceOf(operation, { prompt_directory_optin: false }).credits).toBe(130);
});

test('a price by option with a default (stems)', () => {
	const operation = priced(
		{
			shown: true,
			rates: [
				{ when: { separation_type: ['separate_vocal'] }, credits: 10 },
				{ when: { separation_type: ['split_stem'] }, credits: 50 },
				{ when: { separation_type: ['split_stem_advanced'] }, credits: 20 },
			],
		},
		[{ ...toggle('separation_type'), type: 'select', default: 'separate_vocal' }],
	);
	expect(priceOf(operation, {}).credits).toBe(10);
	expect(priceOf(operation, { separation_type: 'split_stem' }).credits).toBe(50);
	expect(priceOf(operation, { separation_type: 'split_stem_advanced' }).credits).toBe(20);
});
