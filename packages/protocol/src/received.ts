/**
 * Lenient schemas for the answers of any server of the documented interface, for clients. They accept more than Hearth
 * itself sends (the other schemas, which are pinned), because the interface leaves details open and servers differ.
 */
import { z } from 'zod';
import { capabilitiesSchema, type Capabilities } from './capabilities.ts';
import { errorFields, ERROR_NAMES, ERRORS, type AnyErrorData, type ErrorName } from './errors.ts';
import type { InstanceInfo } from './instance-info.ts';
import {
  instanceRateLimitsSchema,
  restRateLimitsSchema,
  type InstanceRateLimits,
} from './rate-limit-schemas.ts';
import { rateLimitKeys, rateLimitsIn } from './rate-limits.ts';

export * from './received-events.ts';
export * from './received-messages.ts';
export * from './received-users.ts';

const wholeNumber = z.int().nonnegative();

/** InstanceInfo of any server; `version` is empty if the server is older than that field (Versioning rule 3). */
export const receivedInstanceInfo: z.ZodType<InstanceInfo> = z.object({
  instance_name: z.string(),
  description: z.string().nullable().default(null),
  version: z.string().default(''),
  message_limit: wholeNumber,
  oprish_url: z.string(),
  pandemonium_url: z.string(),
  effis_url: z.string(),
  file_size: wholeNumber,
  attachment_file_size: wholeNumber,
});

/** The limits, whichever spelling of a key the server uses (RL4). */
export const receivedRateLimits: z.ZodType<InstanceRateLimits> = instanceRateLimitsSchema.extend({
  oprish: z.preprocess(withAllSpellings, restRateLimitsSchema),
});

/** The envelope of an error. Its `data` keeps the fields that the table of errors has, if they have the right type. */
export const receivedError = z.object({
  status: z.number(),
  message: z.string(),
  data: receivedErrorData().default({}).catch({}),
});

/**
 * Finds the error of the table that fits an answer's status and data. If several fit, it takes the one with the most of
 * its data present, the simplest first. Returns undefined if the table has no error with this status.
 */
export function errorNameOf(status: number, data: AnyErrorData): ErrorName | undefined {
  const came = Object.entries(data).flatMap(([field, value]) =>
    value === undefined ? [] : [field],
  );
  const fieldsOf = (name: ErrorName) => Object.keys(errorFields(name));
  const shared = (name: ErrorName) => fieldsOf(name).filter((field) => came.includes(field)).length;
  const ofStatus = ERROR_NAMES.filter((name) => ERRORS[name].status === status);
  return ofStatus.toSorted(
    (one, other) => shared(other) - shared(one) || fieldsOf(one).length - fieldsOf(other).length,
  )[0];
}

/** The capabilities of any instance that can do more than the documented interface; unknown ones are ignored. */
export const receivedCapabilities: z.ZodType<Capabilities> = capabilitiesSchema.extend({
  limits: capabilitiesSchema.shape.limits.extend({
    media_sizes: capabilitiesSchema.shape.limits.shape.media_sizes.default([]).catch([]),
  }),
  registration: capabilitiesSchema.shape.registration.catch('closed'),
  lobby: capabilitiesSchema.shape.lobby.catch('accounts'),
});

function withAllSpellings(value: unknown): unknown {
  const found = z.record(z.string(), z.unknown()).safeParse(value);
  if (!found.success) return value;
  const limits = found.data;
  const spellings = rateLimitsIn('oprish').flatMap((name) => {
    const keys = rateLimitKeys(name);
    const known = keys.map((key) => limits[key]).find((limit) => limit !== undefined);
    return known === undefined ? [] : keys.map((key) => [key, known] as const);
  });
  return { ...Object.fromEntries(spellings), ...limits };
}

// Guarantee: the fields are those of the table, and each was read with the type from the table.
function receivedErrorData(): z.ZodType<AnyErrorData> {
  const fields = ERROR_NAMES.flatMap((name) => Object.entries(errorFields(name)));
  const shape = fields.map(([field, type]) => {
    const read: z.ZodType = type.startsWith('text') ? z.string() : z.number().nonnegative();
    return [field, read.optional().catch(undefined)];
  });
  return z.object(Object.fromEntries(shape)) as z.ZodType<AnyErrorData>;
}
