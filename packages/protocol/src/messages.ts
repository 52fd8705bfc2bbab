import { z } from 'zod';
import { parseId, type Id } from './ids.ts';
import { AUTHOR_LENGTH, MOST_NONCE_CHARACTERS } from './lengths.ts';
import { text } from './text.ts';

/** A message as answered and dispatched; `messageLimit` is the instance's `message_limit` (Resources: Message). */
export const messageSchema = (messageLimit: number) =>
  z.object({ author: text(AUTHOR_LENGTH.min, AUTHOR_LENGTH.max), content: text(1, messageLimit) });

/** Resources: Message. */
export type Message = z.infer<ReturnType<typeof messageSchema>>;

/** A message as posted: `nonce` comes back to whom it was given by, on gateways of profile 1. Ours. */
export const postedMessageSchema = (messageLimit: number) =>
  messageSchema(messageLimit).extend({ nonce: text(0, MOST_NONCE_CHARACTERS).optional() });

/** A message as posted. */
export type PostedMessage = z.infer<ReturnType<typeof postedMessageSchema>>;

/** An identifier as it stands in JSON (Resources: Identifier format). */
export const idSchema = z
  .string()
  .regex(/^(0|[1-9][0-9]{0,38})$/)
  .refine((value): value is Id => parseId(value) !== undefined, {
    error: 'must be an identifier: a number of 128 bits in decimal digits',
  });

/** A message of the lobby, as the history and gateways of profile 1 give it; `created_at` in Unix milliseconds. Ours. */
export const lobbyMessageSchema = z.object({
  id: idSchema,
  author: z.string(),
  content: z.string(),
  created_at: z.int(),
});

/** A message of the lobby. */
export type LobbyMessage = z.infer<typeof lobbyMessageSchema>;

/** What `GET /messages` answers: the newest first. Ours. */
export const messageListSchema = z.array(lobbyMessageSchema);
