import { z } from 'zod';
import { idSchema } from '../id-schema.ts';
import { lobbyMessageSchema } from '../messages.ts';
import { reactionSchema } from '../reactions.ts';
import { positionSchema } from './positions.ts';

/** A message was received; `d` is that message (Events: MESSAGE_CREATE). */
export const messageCreateSchema = z.object({
  op: z.literal('MESSAGE_CREATE'),
  d: z.object({ author: z.string(), content: z.string() }),
});

/** A message was received: on profile 1 with its position and the nonce that it was posted with. Ours. */
export const lobbyMessageCreateSchema = z.object({
  op: z.literal('MESSAGE_CREATE'),
  s: positionSchema,
  d: lobbyMessageSchema.extend({ nonce: z.string().exactOptional() }),
});

/** A message of the lobby has changed; `d` is the whole message, without `mine`. Profile 1, ours. */
export const lobbyMessageUpdateSchema = z.object({
  op: z.literal('MESSAGE_UPDATE'),
  s: positionSchema,
  d: lobbyMessageSchema,
});

/** A message of the lobby was removed: clients no longer show it. Profile 1, ours. */
export const lobbyMessageDeleteSchema = z.object({
  op: z.literal('MESSAGE_DELETE'),
  s: positionSchema,
  d: z.object({ id: idSchema }),
});

/**
 * The number of people who react to a message with an emoji from now on, and the one who has changed that. `version` is
 * that of the message.
 */
const reactionChangeSchema = reactionSchema
  .omit({ mine: true })
  .extend({ id: idSchema, user_id: idSchema, version: z.int().positive() });

/** Somebody reacted to a message of the lobby; `count` is the total. Profile 1, ours. */
export const lobbyReactionAddSchema = z.object({
  op: z.literal('REACTION_ADD'),
  s: positionSchema,
  d: reactionChangeSchema,
});

/** Somebody took back a reaction to a message of the lobby; `count` is the total, which may be 0. Profile 1, ours. */
export const lobbyReactionRemoveSchema = z.object({
  op: z.literal('REACTION_REMOVE'),
  s: positionSchema,
  d: reactionChangeSchema,
});

/** Every event about messages of the lobby, as gateways of profile 1 send it. */
export const LOBBY_MESSAGE_EVENTS = [
  lobbyMessageCreateSchema,
  lobbyMessageUpdateSchema,
  lobbyMessageDeleteSchema,
  lobbyReactionAddSchema,
  lobbyReactionRemoveSchema,
] as const;
