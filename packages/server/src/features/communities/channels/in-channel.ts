import { hasPermission, NotFoundError, PERMISSIONS, type Permission } from '@hearth/protocol';
import type { EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import {
  accessToChannel,
  permissionsIn,
  requireIn,
  type AccessContext,
} from '../structure/access.ts';
import {
  restructure,
  type Changing,
  type MemberAccess,
  type Recorded,
} from '../structure/in-community.ts';
import { channelIn } from '../structure/known-communities.ts';
import type { KnownChannel, KnownCommunity } from '../structure/known-community.ts';

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
    if (!hasPermission(PERMISSIONS, permissions, 'VIEW')) throw new NotFoundError();
    requireIn({ ...access, permissions }, needs, ctx.clock.unixMs());
    // What may be granted is decided by what the caller may do here.
    return await work(tx, { ...access, permissions, channel });
  });
}
