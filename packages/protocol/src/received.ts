/**
 * Readings of what servers of the documented interface answer, for clients: wider than what Hearth itself sends (the
 * other schemas, which are pinned), because the interface leaves some of it open and other servers differ there.
 */
import { z } from 'zod';
import { DISCONNECT_REASONS, type DisconnectReason } from './close-reasons.ts';
import type { InstanceInfo } from './instance-info.ts';
import { lobbyMessageSchema, type Message } from './messages.ts';
import { underRateLimitsKeys } from './rate-limit-names.ts';
import {
  instanceRateLimitsSchema,
  restRateLimitsSchema,
  type InstanceRateLimits,
} from './rate-limits.ts';
import {
  disconnectSchema,
  helloSchema,
  lobbyMessageCreateSchema,
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

/** The limits, whichever spelling of the third key is there (RL4). */
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

const told = { text: z.string(), number: z.number().nonnegative() };

/** The envelope of an error; of its `data` what the documented errors have, as far as it is of their shape. */
export const receivedError = z.object({
  status: z.number(),
  message: z.string(),
  data: z
    .object({
      retry_after: told.number.optional().catch(undefined),
      bytes_left: told.number.optional().catch(undefined),
      field_name: told.text.optional().catch(undefined),
      error: told.text.optional().catch(undefined),
    })
    .default({})
    .catch({}),
});

/** What any gateway payload has. */
export const receivedOp = z.object({ op: z.string() });

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
  const names = Object.keys(underRateLimitsKeys(undefined));
  const known = names.map((name) => limits[name]).find((limit) => limit !== undefined);
  return { ...underRateLimitsKeys(known), ...limits };
}
