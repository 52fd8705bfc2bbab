import type { Channel, Id } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import {
  accessTo,
  currentAccessToChannel,
  describeChannel,
  selectLastIds,
  type Access,
  type AccessContext,
  type KnownChannel,
} from '../structure/structure.ts';
import { sees } from './channel-fields.ts';

/** The channels of a community that the caller sees, in their order. Throws NotFoundError. */
export async function listChannels(
  ctx: AccessContext,
  actor: Actor,
  { community_id: id }: { readonly community_id: Id },
): Promise<readonly Channel[]> {
  const access = await accessTo(ctx, actor, id);
  const lastIds = await selectLastIds(ctx.database.reader, [id]);
  return Array.from(seenChannels(access).values(), (channel) =>
    describeChannel({ ...channel, lastId: lastIds.get(channel.id) ?? '' }),
  );
}

/** The channels of a community that somebody sees, in their order; all of them, or those of a kind. */
export function seenChannels(
  access: Access,
  kind?: KnownChannel['kind'],
): ReadonlyMap<Id, KnownChannel> {
  const seen = new Map<Id, KnownChannel>();
  for (const [id, channel] of access.community.channelById) {
    if (kind !== undefined && channel.kind !== kind) continue;
    if (sees(access, channel)) seen.set(id, channel);
  }
  return seen;
}

/** A channel as it is now, which clients read when its stream is opened. Throws NotFoundError if the caller may not know that it exists. */
export async function findChannel(
  ctx: AccessContext,
  actor: Actor,
  { id }: { readonly id: Id },
): Promise<Channel> {
  const { channel } = await currentAccessToChannel(ctx, actor, id);
  const lastIds = await selectLastIds(ctx.database.reader, [channel.communityId]);
  return describeChannel({ ...channel, lastId: lastIds.get(id) ?? '' });
}
