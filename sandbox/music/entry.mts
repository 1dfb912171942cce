import { z } from 'zod';

/** A text in both languages of the catalog; a text alone is the English one. */
const text = z.union([z.string(), z.object({ en: z.string(), de: z.string() }).strict()]);
const value = z.union([z.string(), z.number(), z.boolean()]);
const credits = z.number().int().min(0);
const bound = z.number().nullable().default(null);

const option = z.object({ value, label: text, help: text.optional() }).strict();

const fieldEntry = z
	.object({
		name: z.string().min(1),
		label: text,
		type: z.enum(['text', 'textarea', 'toggle', 'select', 'number', 'upload', 'source']),
		required: z.boolean().default(false),
		options: z.array(option).default([]),
		min: bound,
		max: bound,
		step: bound,
		/** Characters. */
		max_length: z.number().int().nullable().default(null),
		default: value.nullable().default(null),
		help: text.default(''),
	})
	.strict();

/** Section "Music catalog": an operation entry with its field descriptors, in all languages. */
export const operationEntrySchema = z
	.object({
		/** Its part of the submit path. */
		id: z.string().regex(/^\w+$/),
		label: text,
		description: text.default(''),
		source_required: z.boolean().default(false),
		source_operations: z.array(z.string()).default([]),
		credits,
		/** Its form is not shown; made up: credits by name of a field and value. */
		credits_by_option: z.record(z.record(credits)).optional(),
		fields: z.array(fieldEntry).default([]),
	})
	.strict();

export type Text = z.output<typeof text>;
export type FieldEntry = z.output<typeof fieldEntry>;
export type OperationEntry = z.output<typeof operationEntrySchema>;
export type OperationEntryInput = z.input<typeof operationEntrySchema>;
