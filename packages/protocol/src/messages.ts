import { z } from 'zod';
import { parseId, type Id } from './ids.ts';
import {
  AUTHOR_LENGTH,
  HISTORY_PAGE,
  MOST_NONCE_CHARACTERS,
  MOST_QUERY_CHARACTERS,
} from './lengths.ts';
import { SEARCHED_CONTENTS, SEARCHED_PLACES } from './search.ts';
import { storableText, text } from './text.ts';
import { fileDataSchema } from './uploads.ts';

const ID_PATTERN = /^(0|[1-9][0-9]{0,38})$/;

/** A message in answers and events; `messageLimit` is the instance's `message_limit` (Resources: Message). */
export const messageSchema = (messageLimit: number) =>
  z.object({ author: text(AUTHOR_LENGTH.min, AUTHOR_LENGTH.max), content: text(1, messageLimit) });

/** Resources: Message. */
export type Message = z.infer<ReturnType<typeof messageSchema>>;

/** A message as posted. On gateways of profile 1 the `nonce` comes back to the client that sent it. Ours. */
export const postedMessageSchema = (messageLimit: number) =>
  messageSchema(messageLimit).extend({ nonce: text(0, MOST_NONCE_CHARACTERS).optional() });

/** A message as posted. */
export type PostedMessage = z.infer<ReturnType<typeof postedMessageSchema>>;

/** An identifier as it is written in JSON (Resources: Identifier format). */
export const idSchema = z
  .string()
  .regex(ID_PATTERN)
  .refine((value): value is Id => parseId(value) !== undefined, {
    error: 'must be an identifier: a number of 128 bits in decimal digits',
  });

/**
 * The query of `GET /messages`: the messages right after `after`, the newest ones before `before`, or those around
 * `around`. Ours.
 */
export const messageQuerySchema = z
  .object({
    after: messageIdSchema().optional(),
    around: messageIdSchema().optional(),
    before: messageIdSchema().optional(),
    limit: pageLimitSchema(),
  })
  .refine(({ after, around, before }) => around === undefined || (after ?? before) === undefined, {
    path: ['around'],
    error: 'cannot be combined with before or after',
  });

/** The query of `GET /search`. Ours. */
export const searchQuerySchema = z.object({
  q: storableText(0, MOST_QUERY_CHARACTERS).optional(),
  in: z.enum(SEARCHED_PLACES, { error: 'must be lobby' }).optional(),
  from: storableText(0, AUTHOR_LENGTH.max).optional(),
  has: z
    .enum(SEARCHED_CONTENTS, { error: `must be one of ${SEARCHED_CONTENTS.join(', ')}` })
    .optional(),
  after: messageIdSchema().optional(),
  before: messageIdSchema().optional(),
  limit: pageLimitSchema(),
});

/** A message of the lobby, for the history and gateways of profile 1; `created_at` is in Unix milliseconds. Ours. */
export const lobbyMessageSchema = z.object({
  id: idSchema,
  author: z.string(),
  content: z.string(),
  created_at: z.int(),
  /** The files of this instance that `content` names by their addresses, in that order; omitted if there are none. */
  attachments: z.array(fileDataSchema).exactOptional(),
});

/** A message of the lobby. */
export type LobbyMessage = z.infer<typeof lobbyMessageSchema>;

/** The answer to `GET /messages`: the newest message comes first. Ours. */
export const messageListSchema = z.array(lobbyMessageSchema);

function messageIdSchema() {
  const error = 'must be the id of a message';
  return z
    .string()
    .regex(ID_PATTERN, { error })
    .refine((value): value is Id => parseId(value) !== undefined, { error });
}

/** The `limit` of a list of messages. */
function pageLimitSchema() {
  const { min, max, default: usual } = HISTORY_PAGE;
  return z
    .string()
    .transform((given) => (/^\d{1,3}$/.test(given) ? Number(given) : NaN))
    .refine((limit) => limit >= min && limit <= max, {
      error: `must be a whole number from ${min} to ${max}`,
    })
    .default(usual)
    .meta({ type: 'integer', minimum: min, maximum: max, default: usual });
}
