import { z } from 'zod';
import { idSchema, lobbyMessageSchema } from '../messages.ts';
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
  d: lobbyMessageSchema.extend({ nonce: z.string().optional() }),
});

/** A message of the lobby has changed; `d` is the whole message. Profile 1, ours. */
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
