/**
 * Lenient schemas for the answers of any server of the documented interface, for clients. They accept more than Hearth
 * itself sends (the other schemas, which are pinned), because the interface leaves details open and servers differ.
 */
import { z } from 'zod';
import { capabilitiesSchema, type Capabilities } from './capabilities.ts';
import { DISCONNECT_REASONS, type DisconnectReason } from './close-reasons.ts';
import { errorFields, ERROR_NAMES, ERRORS, type AnyErrorData, type ErrorName } from './errors.ts';
import { idSchema } from './id-schema.ts';
import type { Id } from './ids.ts';
import type { InstanceInfo } from './instance-info.ts';
import { lobbyMessageSchema, type LobbyMessage, type Message } from './messages.ts';
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
  lobbyReactionAddSchema,
  lobbyReactionRemoveSchema,
  onlineSchema,
  pausesEventSchema,
  pongSchema,
} from './server-events.ts';
import { reactionSchema, type Reaction } from './reactions.ts';
import { fileDataSchema, fileMetadataSchema, type FileData } from './uploads.ts';
import { userSummarySchema, type UserSummary } from './user-summary.ts';

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

/** The posted message, however long this server allows it to be. */
export const receivedMessage: z.ZodType<Message> = z.object({
  author: z.string(),
  content: z.string(),
});

/** The limits, whichever spelling of a key the server uses (RL4). */
export const receivedRateLimits: z.ZodType<InstanceRateLimits> = instanceRateLimitsSchema.extend({
  oprish: z.preprocess(withAllSpellings, restRateLimitsSchema),
});

/** FileData of any server: the documentation also shows `id` as a number, and allows any lowercase word as `type`. */
export const receivedFileData: z.ZodType<FileData> = fileDataSchema
  .extend({
    id: z.union([z.string(), wholeNumber]).transform(String),
    spoiler: z.boolean().nullish(),
    size: wholeNumber.optional().catch(undefined),
    placeholder: z.string().optional().catch(undefined),
    key: z.string().optional().catch(undefined),
    metadata: z.union([
      fileMetadataSchema,
      z.object({ type: z.string() }).transform(() => ({ type: 'other' as const })),
    ]),
  })
  .transform(({ spoiler, size, placeholder, key, ...data }) => ({
    ...data,
    ...(spoiler === true ? { spoiler } : {}),
    ...(size === undefined ? {} : { size }),
    ...(placeholder === undefined ? {} : { placeholder }),
    ...(key === undefined ? {} : { key }),
  }));

/** A message of the lobby. What it says about files is ignored if it cannot be understood. */
export const receivedLobbyMessage = lobbyMessageSchema.extend({
  attachments: z.array(receivedFileData).catch([]).exactOptional(),
});

/** A reaction. */
export const receivedReaction: z.ZodType<Reaction> = reactionSchema;

/** A list of people. */
export const receivedPeople: z.ZodType<UserSummary[]> = z.array(userSummarySchema);

/** A message as posted, with its id if the server answers with one: Hearth does if there is a token. */
export const receivedPost: z.ZodType<Message & { readonly id?: Id }> = z
  .object({ author: z.string(), content: z.string(), id: idSchema.optional().catch(undefined) })
  .transform(({ id, ...message }) => (id === undefined ? message : { ...message, id }));

/** The answer to `GET /messages`. */
export const receivedMessageList: z.ZodType<LobbyMessage[]> = z.array(receivedLobbyMessage);

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

/** The fields of any gateway payload. */
export const receivedOp = z.object({
  op: z.string(),
  /** The position of an event of profile 1, even if the event is unknown. */
  s: wholeNumber.optional().catch(undefined),
});

/** What the documented gateway sends. */
export const receivedEvent = z.discriminatedUnion('op', [
  pongSchema,
  z.object({ op: z.literal('MESSAGE_CREATE'), d: receivedMessage }),
]);

/** What the documented gateway sends. */
export type ReceivedEvent = z.infer<typeof receivedEvent>;

/** What a gateway of profile 1 sends; an unknown reason for DISCONNECT is read as `server_error`. */
export const receivedProfileEvent = z.discriminatedUnion('op', [
  pongSchema,
  helloSchema,
  lobbyMessageCreateSchema.extend({
    d: receivedLobbyMessage.extend({ nonce: z.string().exactOptional() }),
  }),
  lobbyMessageUpdateSchema.extend({ d: receivedLobbyMessage }),
  lobbyMessageDeleteSchema,
  lobbyReactionAddSchema,
  lobbyReactionRemoveSchema,
  onlineSchema,
  pausesEventSchema,
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

// Guarantee: the fields are those of the table, and each was read with the type from the table.
function receivedErrorData(): z.ZodType<AnyErrorData> {
  const fields = ERROR_NAMES.flatMap((name) => Object.entries(errorFields(name)));
  const shape = fields.map(([field, type]) => {
    const read: z.ZodType = type.startsWith('text') ? z.string() : z.number().nonnegative();
    return [field, read.optional().catch(undefined)];
  });
  return z.object(Object.fromEntries(shape)) as z.ZodType<AnyErrorData>;
}
