import { ConflictError, NotFoundError, type Id, type OwnCommunity } from '@hearth/protocol';
import { RESTORABLE_MS } from '@hearth/protocol/schemas';
import type { Account } from '../../../actor.ts';
import { audit } from '../audit/audit.ts';
import { addJob } from '../../platform/jobs/jobs.ts';
import {
  accessTo,
  inCommunity,
  markCommunityDeleted,
  type AccessContext,
} from '../structure/structure.ts';
import { ANNOUNCE_RESTORED } from './announce-restored.ts';
import { showPictures } from './community-pictures.ts';
import { findOwnCommunity } from '../members/members.ts';
import { requireOwner } from './owned-community.ts';

/**
 * Undoes the deletion of a community. Its members see it again at once, and their clients are sent it soon. Throws
 * NotFoundError if the caller may not know that it exists, ForbiddenError if they do not own it, and ConflictError if it was not
 * deleted.
 */
export async function restoreCommunity(
  ctx: AccessContext,
  actor: Account,
  { id }: { readonly id: Id },
): Promise<OwnCommunity> {
  const { community: seen } = await accessTo(ctx, actor, id);
  requireOwner(seen.stored, actor);
  const changing = { actor, id, evenDeleted: true } as const;
  return await inCommunity(ctx, changing, async (tx, { community, entry }) => {
    const { stored } = community;
    requireOwner(stored, actor);
    if (stored.deletedAtMs > 0 && ctx.clock.unixMs() >= stored.deletedAtMs + RESTORABLE_MS) {
      // It may be half removed.
      throw new NotFoundError();
    }
    if (stored.deletedAtMs === 0) {
      throw new ConflictError({ code: 'wrong_state', field_name: 'community' });
    }
    // The version of the structure stays: what is remembered from before the deletion is older, and who remembers the community as
    // deleted only refuses too much, until they hear of this.
    await markCommunityDeleted(tx.sql, id, 0);
    await showPictures(tx, stored);
    tx.changed('communities', id);
    tx.changed('content', id);
    const target = { kind: 'community', id, name: stored.name } as const;
    await audit(tx, entry, { action: 'community_restore', target });
    await addJob(tx, ANNOUNCE_RESTORED, {
      payload: { community_id: id },
      nowMs: ctx.clock.unixMs(),
    });
    return await findOwnCommunity(tx.sql, ctx, { actor, id });
  });
}
