/**
 * Readings of what servers of the documented interface answer, for clients: wider than what Hearth itself sends (the
 * other schemas, which are pinned), because the interface leaves some of it open and other servers differ there.
 */
import { z } from 'zod';
import { capabilitiesSchema, type Capabilities } from './capabilities.ts';
import { DISCONNECT_REASONS, type DisconnectReason } from './close-reasons.ts';
import { errorFields, ERROR_NAMES, ERRORS, type AnyErrorData, type ErrorName } from './errors.ts';
import type { InstanceInfo } from './instance-info.ts';
import { lobbyMessageSchema, type Message } from './messages.ts';
import {
  instanceRateLimitsSchema,
  restRateLimitsSchema,
  type InstanceRateLimits,
} from './rate-limit-schemas.ts';
import { rateLimitKeys, rateLimitsIn } from './rate-limits.ts';
import {
  disconnectSchema,
  helloSchema,
  lobbyMessageCreateSchema,
  lobbyMessageDeleteSchema,
  lobbyMessageUpdateSchema,
  pongSchema,
} from './server-events.ts';
import { fileDataSchema, fileMetadataSchema, type FileData } from './uploads.ts';

const wholeNumber = z.int().nonnegative();

/** InstanceInfo of any server; `version` is empty where the server is older than the field (Versioning rule 3). */
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

/** The message that was posted, however long this server lets it be. */
export const receivedMessage: z.ZodType<Message> = z.object({
  author: z.string(),
  content: z.string(),
});

/** The limits, whichever spelling of a key is there (RL4). */
export const receivedRateLimits: z.ZodType<InstanceRateLimits> = instanceRateLimitsSchema.extend({
  oprish: z.preprocess(withAllSpellings, restRateLimitsSchema),
});

/** FileData of any server: the documentation shows `id` as a bare number too, and lets `type` be any lowercase word. */
export const receivedFileData: z.ZodType<FileData> = fileDataSchema
  .extend({
    id: z.union([z.string(), wholeNumber]).transform(String),
    spoiler: z.boolean().nullish(),
    metadata: z.union([
      fileMetadataSchema,
      z.object({ type: z.string() }).transform(() => ({ type: 'other' as const })),
    ]),
  })
  .transform(({ spoiler, ...data }) => (spoiler === true ? { ...data, spoiler } : data));

/** The envelope of an error; of its `data` what errors of the table have, as far as it is of their shape. */
export const receivedError = z.object({
  status: z.number(),
  message: z.string(),
  data: receivedErrorData().default({}).catch({}),
});

/**
 * The error of the table that an answer with this status and data is: of several the one of which most data came, the
 * plainest first. Undefined if the table has none with this status.
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

/** What any instance answers that can do more than the documented interface; what is not known yet is passed over. */
export const receivedCapabilities: z.ZodType<Capabilities> = capabilitiesSchema.extend({
  registration: capabilitiesSchema.shape.registration.catch('closed'),
  lobby: capabilitiesSchema.shape.lobby.catch('accounts'),
});

/** What any gateway payload has. */
export const receivedOp = z.object({
  op: z.string(),
  /** The position of an event of profile 1, whether the event is known or not. */
  s: wholeNumber.optional().catch(undefined),
});

/** What the documented gateway sends. */
export const receivedEvent = z.discriminatedUnion('op', [
  pongSchema,
  z.object({ op: z.literal('MESSAGE_CREATE'), d: receivedMessage }),
]);

/** What the documented gateway sends. */
export type ReceivedEvent = z.infer<typeof receivedEvent>;

/** What a gateway of profile 1 sends; a reason for DISCONNECT that is not known yet is one of the instance's own. */
export const receivedProfileEvent = z.discriminatedUnion('op', [
  pongSchema,
  helloSchema,
  lobbyMessageCreateSchema.extend({
    d: lobbyMessageSchema.extend({ nonce: z.string().exactOptional() }),
  }),
  lobbyMessageUpdateSchema,
  lobbyMessageDeleteSchema,
  disconnectSchema.extend({
    d: disconnectSchema.shape.d.extend({
      reason: z.string().transform((reason) => (isReason(reason) ? reason : 'server_error')),
    }),
  }),
]);

/** What a gateway of profile 1 sends. */
export type ReceivedProfileEvent = z.infer<typeof receivedProfileEvent>;

function isReason(reason: string): reason is DisconnectReason {
  return Object.hasOwn(DISCONNECT_REASONS, reason);
}

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

// Guarantee: the fields are those of the table, each read as the type that the table gives it.
function receivedErrorData(): z.ZodType<AnyErrorData> {
  const fields = ERROR_NAMES.flatMap((name) => Object.entries(errorFields(name)));
  const shape = fields.map(([field, type]) => {
    const read: z.ZodType = type.startsWith('text') ? z.string() : z.number().nonnegative();
    return [field, read.optional().catch(undefined)];
  });
  return z.object(Object.fromEntries(shape)) as z.ZodType<AnyErrorData>;
}
