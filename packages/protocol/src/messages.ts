import { z } from 'zod';
import { ID_PATTERN, idSchema } from './id-schema.ts';
import { parseId, type Id } from './ids.ts';
import { AUTHOR_LENGTH, MOST_NONCE_CHARACTERS, MOST_QUERY_CHARACTERS } from './lengths.ts';
import { pageLimitSchema } from './page-limit.ts';
import { reactionSchema } from './reactions.ts';
import { SEARCHED, SEARCHED_CONTENTS, SEARCHED_PLACES } from './search.ts';
import { storableText, text } from './text.ts';
import { fileDataSchema } from './uploads.ts';
import { userSummarySchema } from './user-summary.ts';

/** A message in answers and events; `messageLimit` is the instance's `message_limit` (Resources: Message). */
export const messageSchema = (messageLimit: number) =>
  z.object({ author: text(AUTHOR_LENGTH.min, AUTHOR_LENGTH.max), content: text(1, messageLimit) });

/** Resources: Message. */
export type Message = z.infer<ReturnType<typeof messageSchema>>;

/** A message as posted. On gateways of profile 1 the `nonce` comes back to the client that sent it. Ours. */
export const postedMessageSchema = (messageLimit: number) =>
  messageSchema(messageLimit).extend({ nonce: text(0, MOST_NONCE_CHARACTERS).optional() });

/** The body of `POST /messages` with a token, which says who posts it: an `author` is ignored. Ours. */
export const userMessageSchema = (messageLimit: number) =>
  postedMessageSchema(messageLimit)
    .omit({ author: true })
    .extend({ nonce: storableText(0, MOST_NONCE_CHARACTERS).optional() });

/** A message as posted. */
export type PostedMessage = z.infer<ReturnType<typeof postedMessageSchema>>;

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

const searchFields = z.object({
  q: storableText(0, MOST_QUERY_CHARACTERS).optional(),
  kind: z.enum(SEARCHED, { error: `must be one of ${SEARCHED.join(', ')}` }).optional(),
  in: z
    .union([z.enum(SEARCHED_PLACES), idSchema], {
      error: 'must be lobby, all or the id of a channel',
    })
    .optional(),
  community: idSchema.optional(),
  from: storableText(0, AUTHOR_LENGTH.max).optional(),
  has: z
    .enum(SEARCHED_CONTENTS, { error: `must be one of ${SEARCHED_CONTENTS.join(', ')}` })
    .optional(),
  after: messageIdSchema().optional(),
  before: messageIdSchema().optional(),
});

/** The query of `GET /search`. Ours. */
export const searchQuerySchema = oneScope(searchFields.extend({ limit: pageLimitSchema() }));

/** The query of `GET /search/facets`. Ours. */
export const facetsQuerySchema = oneScope(searchFields);

/** A message of the lobby, for the history and gateways of profile 1; `created_at` is in Unix milliseconds. Ours. */
export const lobbyMessageSchema = z.object({
  id: idSchema,
  author: z.string(),
  content: z.string(),
  created_at: z.int(),
  /** The files of this instance that `content` names by their addresses, in that order; omitted if there are none. */
  attachments: z.array(fileDataSchema).exactOptional(),
  /** The user who posted it, if that was somebody with an account: `author` was the username then. */
  user: userSummarySchema.exactOptional(),
  /** When its content was changed last, in Unix milliseconds. */
  edited_at: z.int().exactOptional(),
  /** Grows with each change of content or reactions; a message that was never changed has none. */
  version: z.int().positive().exactOptional(),
  /** The kind that somebody reacted with first comes first; omitted if there are none. */
  reactions: z.array(reactionSchema).exactOptional(),
});

/** A message of the lobby. */
export type LobbyMessage = z.infer<typeof lobbyMessageSchema>;

/** The body of `PATCH /messages/<id>`. Ours. */
export const messageChangeSchema = (messageLimit: number) =>
  z.object({ content: storableText(1, messageLimit) });

/** A change of a message. */
export type MessageChange = z.infer<ReturnType<typeof messageChangeSchema>>;

/** The answer to `GET /messages`: the newest message comes first. Ours. */
export const messageListSchema = z.array(lobbyMessageSchema);

function messageIdSchema() {
  const error = 'must be the id of a message';
  return z
    .string()
    .regex(ID_PATTERN, { error })
    .refine((value): value is Id => parseId(value) !== undefined, { error });
}

/** Refuses a search whose place and kind do not fit. */
function oneScope<Schema extends typeof searchFields>(fields: Schema): Schema {
  return fields
    .refine(({ in: place, community }) => place === undefined || community === undefined, {
      path: ['community'],
      error: 'cannot be combined with in',
    })
    .refine(
      ({ kind = 'messages', in: place = 'lobby', community }) =>
        (kind !== 'posts' && kind !== 'comments') || community !== undefined || place !== 'lobby',
      { path: ['in'], error: 'must be the id of a channel with posts, unless community is given' },
    );
}
