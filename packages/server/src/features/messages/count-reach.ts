import type { Id, Reach } from '@hearth/protocol';
import { MOST_COUNTED_REACH } from '@hearth/protocol/schemas';
import type { User } from '../../actor.ts';
import type { CommunityContext } from '../communities/community-context.ts';
import { findMembersWith, readMembers } from '../members/read-member.ts';
import { requireWriting } from './message-access.ts';
import { resolveMentions, sees } from './resolve-mentions.ts';
import { turningIn } from './turn.ts';

/**
 * How many people a text would mention if the caller posted it, without the caller: at most {@link MOST_COUNTED_REACH}, which
 * means that many or more. Throws what posting it would throw.
 */
export async function countReach(
  ctx: CommunityContext,
  actor: User,
  { channel_id: channelId, content }: { readonly channel_id: Id; readonly content: string },
): Promise<Reach> {
  const { access } = await turningIn(ctx, actor, { channelId, requires: requireWriting(ctx) });
  const { users = [], roles = [], all } = await resolveMentions(ctx, access, content);
  const { community, channel } = access;
  const { reader } = ctx.database;
  const communityId = community.stored.id;
  // One more than is counted, for the caller.
  const limit = MOST_COUNTED_REACH + 1;
  const reached =
    all === true || roles.length > 0
      ? await findMembersWith(reader, communityId, {
          roles: all === true ? undefined : roles,
          limit,
        })
      : [];
  const ids = [...new Set([...users, ...reached])].filter((id) => id !== actor.user_id);
  if (!channel.isRestricted) return { people: Math.min(ids.length, MOST_COUNTED_REACH) };
  const members = await readMembers(reader, communityId, ids);
  const seeing = members.filter((member) => sees(community, channel, member));
  return { people: Math.min(seeing.length, MOST_COUNTED_REACH) };
}
