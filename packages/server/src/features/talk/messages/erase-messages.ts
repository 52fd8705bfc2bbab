import type { EraseContent } from '../../accounts/erasure/erasure.ts';
import type { Context } from '../../../context.ts';
import type { KeepsChannelHomes } from '../../communities/structure/structure.ts';
import type { HasPlaces } from '../places/places.ts';
import { deleteMessagesOf } from './delete-messages.ts';
import { eachReaction } from '../reactions/reactions.ts';
import { takeBackIn } from './react.ts';

/**
 * Deletes what a deleted account has posted in channels, and takes back its reactions, unless the person lets them stay: then
 * they are those of a deleted account, which has no name.
 */
export const eraseChannelMessages: EraseContent<Context & HasPlaces & KeepsChannelHomes> = async (
  ctx,
  { userId, content, signal },
) => {
  if (content === 'keep') return;
  await deleteMessagesOf(ctx, { userId, signal });
  for await (const reaction of eachReaction(ctx.database.reader, userId, 'channels')) {
    signal.throwIfAborted();
    await takeBackIn(ctx, userId, reaction);
  }
};
