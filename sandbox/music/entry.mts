import { z } from 'zod';

const value = z.union([z.string(), z.number(), z.boolean()]);
const credits = z.number().int().min(0);
const bound = z.number().nullable().default(null);

const option = z.object({ value, label: z.string(), help: z.string().optional() }).strict();

const fieldEntry = z
	.object({
		name: z.string().min(1),
		label: z.string(),
		type: z.enum(['text', 'textarea', 'toggle', 'select', 'number', 'upload', 'source']),
		required: z.boolean().default(false),
		options: z.array(option).default([]),
		min: bound,
		max: bound,
		step: bound,
		/** Characters. */
		max_length: z.number().int().nullable().default(null),
		default: value.nullable().default(null),
		help: z.string().default(''),
	})
	.strict();

/** Section "Music catalog": an operation entry with its field descriptors, in English. */
export const operationEntrySchema = z
	.object({
		/** Its part of the submit path. */
		id: z.string().regex(/^\w+$/),
		label: z.string(),
		description: z.string().default(''),
		source_required: z.boolean().default(false),
		source_operations: z.array(z.string()).default([]),
		credits,
		/** Its form is not shown; made up: credits by name of a field and value. */
		credits_by_option: z.record(z.record(credits)).optional(),
		fields: z.array(fieldEntry).default([]),
	})
	.strict();

export type FieldEntry = z.output<typeof fieldEntry>;
export type OperationEntry = z.output<typeof operationEntrySchema>;
export type OperationEntryInput = z.input<typeof operationEntrySchema>;
