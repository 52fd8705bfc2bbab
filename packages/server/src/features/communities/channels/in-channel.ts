import { sightOf, NotFoundError, type Permission } from '@hearth/protocol';
import type { EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import {
  accessToChannel,
  channelIn,
  permissionsIn,
  requireIn,
  restructure,
  type AccessContext,
  type Changing,
  type KnownChannel,
  type KnownCommunity,
  type MemberAccess,
  type Recorded,
} from '../structure/structure.ts';

/** A member in a channel that they see, of a community that no other transaction changes. */
export interface MemberChannelAccess extends MemberAccess {
  readonly channel: KnownChannel;
}

/**
 * Changes a channel on behalf of a member who has a permission there, as {@link restructure} does. Throws NotFoundError if the
 * caller may not know that it exists, and ForbiddenError.
 */
export async function inChannel(
  ctx: AccessContext,
  { actor, id, needs }: Changing & { readonly needs: Permission },
  work: (tx: EmittingTransaction, access: MemberChannelAccess) => Promise<Recorded | undefined>,
): Promise<KnownCommunity> {
  const { community } = await accessToChannel(ctx, actor, id);
  return await restructure(ctx, { actor, id: community.stored.id }, async (tx, access) => {
    const channel = channelIn(access.community, id);
    const permissions = permissionsIn(access, channel);
    if (!sightOf(access.community, access.member.userId, permissions).reads)
      throw new NotFoundError();
    requireIn({ ...access, permissions }, needs, ctx.clock.unixMs());
    // What may be granted is decided by what the caller may do here.
    return await work(tx, { ...access, permissions, channel });
  });
}
