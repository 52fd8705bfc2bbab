import type { EraseContent } from '../../accounts/erasure/erasure.ts';
import type { Context } from '../../../context.ts';
import type { KeepsChannelHomes } from '../../communities/structure/structure.ts';
import type { HasPlaces } from '../places/places.ts';
import { deleteMessagesOf } from './delete-messages.ts';
import { takeBack } from './react.ts';
import { selectReactionsAfter, type ReactionPlace } from './reaction-store.ts';

/** The number of reactions that are looked up at a time. */
const REACTIONS_AT_ONCE = 100;

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
  for (let after: ReactionPlace | undefined; ;) {
    const range = { after, limit: REACTIONS_AT_ONCE };
    const reactions = await selectReactionsAfter(ctx.database.reader, userId, range);
    for (const reaction of reactions) {
      signal.throwIfAborted();
      await takeBack(ctx, userId, reaction);
    }
    after = reactions.at(-1);
    if (reactions.length < REACTIONS_AT_ONCE) return;
  }
};
