import { z } from 'zod';
import { channelMessageSchema } from '../channel-messages.ts';
import { idSchema } from '../id-schema.ts';
import { positionSchema } from './positions.ts';

const inChannel = z.object({ channel_id: idSchema });

/** A message was posted; `d` is the whole message, with the nonce that it was posted with. Profile 2, ours. */
export const channelMessageCreateSchema = event(
  'MESSAGE_CREATE',
  channelMessageSchema.extend({ nonce: z.string().exactOptional() }),
);

/** A message has changed; `d` is the whole message, without `mine`. Profile 2, ours. */
export const channelMessageUpdateSchema = event('MESSAGE_UPDATE', channelMessageSchema);

/** A message was deleted. Profile 2, ours. */
export const channelMessageDeleteSchema = event(
  'MESSAGE_DELETE',
  inChannel.extend({ id: idSchema }),
);

/** Several messages were deleted. Profile 2, ours. */
export const messageDeleteManySchema = event(
  'MESSAGE_DELETE_MANY',
  inChannel.extend({ ids: z.array(idSchema) }),
);

/** The number of people who react to a message with an emoji from now on, and the one who has changed that. */
const reactionChange = inChannel.extend({
  message_id: idSchema,
  emoji: z.string(),
  user_id: idSchema,
  count: z.int().nonnegative(),
  version: z.int().positive(),
});

/** Somebody reacted to a message; `count` is the total. Profile 2, ours. */
export const channelReactionAddSchema = event('REACTION_ADD', reactionChange);

/** Somebody took back a reaction; `count` is the total, which may be 0. Profile 2, ours. */
export const channelReactionRemoveSchema = event('REACTION_REMOVE', reactionChange);

const pinned = inChannel.extend({ message_id: idSchema });

/** A message was pinned. Profile 2, ours. */
export const pinAddSchema = event('PIN_ADD', pinned);

/** A message is no longer pinned. Profile 2, ours. */
export const pinRemoveSchema = event('PIN_REMOVE', pinned);

/** Every event of a channel that the lobby has in a shape of its own. */
export const MESSAGE_EVENTS = [
  channelMessageCreateSchema,
  channelMessageUpdateSchema,
  channelMessageDeleteSchema,
  channelReactionAddSchema,
  channelReactionRemoveSchema,
] as const;

/** Every event about messages of a channel that the lobby does not have. */
export const CHANNEL_EVENTS = [messageDeleteManySchema, pinAddSchema, pinRemoveSchema] as const;

function event<const Op extends string, Data extends z.ZodType>(op: Op, d: Data) {
  return z.object({ op: z.literal(op), s: positionSchema, d });
}
