import { ValidationError, type Channel, type ChannelOrder, type Id } from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import {
  moveChannels,
  restructure,
  type AccessContext,
  type ChannelPlace,
  type KnownCommunity,
} from '../structure/structure.ts';
import { changeOfOverwrites, requireGrants } from '../roles/roles.ts';
import { listChannels, seenChannels } from './list-channels.ts';

/**
 * Puts all channels and categories of a community in an order. Those that the caller does not see keep their place after the one that
 * they follow. Throws ValidationError unless `order` has every one that the caller sees exactly once, and for what is not a
 * category, and ForbiddenError if a channel moves so that it is allowed or denied what the caller may not do there.
 */
export async function orderChannels(
  ctx: AccessContext,
  actor: Account,
  { community_id: communityId, order }: ChannelOrder & { readonly community_id: Id },
): Promise<readonly Channel[]> {
  const changing = { actor, id: communityId, needs: 'MANAGE_CHANNELS' } as const;
  await restructure(ctx, changing, async (tx, access) => {
    const { channelById } = access.community;
    const overwritesOf = (id: Id | '') =>
      (id === '' ? undefined : channelById.get(id)?.overwrites) ?? [];
    const seen = seenChannels(access);
    requireComplete(order, new Set(seen.keys()));
    for (const { id, category_id: categoryId } of order) {
      // It may stay in a category that the caller does not see.
      if (categoryId === undefined || categoryId === seen.get(id)?.categoryId) continue;
      const isCategory = seen.get(id)?.kind === 'category';
      if (isCategory || seen.get(categoryId)?.kind !== 'category') {
        throw new ValidationError('category_id', 'must be the id of a category, for a channel');
      }
    }
    const places = completed(order, access.community).map((channel, position): ChannelPlace => {
      const { id, category_id: categoryId = '' } = channel;
      return { id, position, categoryId };
    });
    const moved = places.filter(({ id, position, categoryId }) => {
      const before = channelById.get(id);
      if (before === undefined) return false;
      const was = overwritesOf(before.categoryId);
      requireGrants(access, [changeOfOverwrites(before.levels, was, overwritesOf(categoryId))]);
      return before.position !== position || before.categoryId !== categoryId;
    });
    if (moved.length === 0) return undefined;
    await moveChannels(tx.sql, moved);
    // Without names: not everyone who reads it sees all channels.
    return () => ({ action: 'channels_order' });
  });
  return await listChannels(ctx, actor, { community_id: communityId });
}

type Order = ChannelOrder['order'];

function requireComplete(order: Order, seen: ReadonlySet<Id>): void {
  const given = new Set(order.map(({ id }) => id));
  if (given.size === order.length && given.symmetricDifference(seen).size === 0) return;
  throw new ValidationError('order', 'must name every channel and category once');
}

/** The order with the channels that it does not have, each after the one that it followed. */
function completed(order: Order, { channelById }: KnownCommunity): Order {
  const all = [...order];
  const given = new Set(order.map(({ id }) => id));
  let before: Id | undefined;
  for (const { id, categoryId } of channelById.values()) {
    if (!given.has(id)) {
      const at = before === undefined ? 0 : all.findIndex((each) => each.id === before) + 1;
      all.splice(at, 0, { id, ...(categoryId !== '' && { category_id: categoryId }) });
    }
    before = id;
  }
  return all;
}
