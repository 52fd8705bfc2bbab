import type { Id, Role } from '@hearth/protocol';
import type { Actor } from '../../actor.ts';
import { accessTo } from '../communities/access.ts';
import type { CommunityContext } from '../communities/community-context.ts';
import { describeRole } from './describe-role.ts';

/** The roles of a community, the weakest first. Throws NotFoundError if the caller may not know that it exists. */
export async function listRoles(
  ctx: CommunityContext,
  actor: Actor,
  { community_id: id }: { readonly community_id: Id },
): Promise<readonly Role[]> {
  const { community } = await accessTo(ctx, actor, id);
  return Array.from(community.roleById.values(), describeRole);
}
