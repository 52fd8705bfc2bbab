import { ForbiddenError, NotFoundError, type Id } from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import {
  accessToChannel,
  type AccessContext,
  type ChannelAccess,
  type StoredMember,
} from '../structure/structure.ts';

/**
 * A channel for one of its members. Throws NotFoundError for a category, or if the caller may not know that the channel exists,
 * and ForbiddenError if they are not a member of its community.
 */
export async function channelOfMember(
  ctx: AccessContext,
  actor: Account,
  channelId: Id,
): Promise<ChannelAccess & { readonly member: StoredMember }> {
  const { member, ...access } = await accessToChannel(ctx, actor, channelId);
  if (access.channel.kind === 'category') throw new NotFoundError();
  if (member === undefined) throw new ForbiddenError({ code: 'not_member' });
  return { ...access, member };
}
