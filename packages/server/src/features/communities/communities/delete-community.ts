import {
  communityStream,
  ValidationError,
  ConflictError,
  NotFoundError,
  type CommunityRemoval,
  type Id,
  type OwnCommunity,
} from '@hearth/protocol';
import { RESTORABLE_MS } from '@hearth/protocol/schemas';
import type { Account } from '../../../actor.ts';
import type { KeepsGuesses } from '../../platform/guesses/guesses.ts';
import { lockProved, type KeepsPasswords } from '../../accounts/users/users.ts';
import { addJob } from '../../platform/jobs/jobs.ts';
import { audit } from '../audit/audit.ts';
import {
  ANY_POST,
  inCommunity,
  markCommunityDeleted,
  raiseStructure,
  stopWriting,
  accessTo,
  type AccessContext,
} from '../structure/structure.ts';
import { findOwnCommunity } from '../members/members.ts';
import { hidePictures, showPictures } from './community-pictures.ts';
import { proveOwner, requireOwner } from './owned-community.ts';
import { ANNOUNCE_RESTORED } from './announce-restored.ts';

/**
 * Deletes a community: from then on only its owner knows that it exists, who can restore it within a week. Throws NotFoundError
 * if the caller may not know that it exists, ForbiddenError if they do not own it, ValidationError for a wrong password and for
 * a slug that is not that of the community, and RateLimitedError.
 */
export async function deleteCommunity(
  ctx: AccessContext & KeepsGuesses & KeepsPasswords,
  actor: Account,
  { id, slug, ...proof }: CommunityRemoval & { readonly id: Id },
): Promise<Record<never, never>> {
  const proved = await proveOwner(ctx, actor, { id, ...proof });
  return await inCommunity(
    ctx,
    { actor, id, changesRules: true },
    async (tx, { community, entry }) => {
      const { stored } = community;
      requireOwner(stored, actor);
      if (slug.trim().toLowerCase() !== stored.slug) {
        throw new ValidationError('slug', 'must be the slug of the community');
      }
      await raiseStructure(tx.sql, id);
      await markCommunityDeleted(tx.sql, id, ctx.clock.unixMs());
      await stopWriting(tx, id);
      await lockProved(tx, proved);
      await hidePictures(tx, stored);
      tx.changed('communities', id);
      tx.changed('content', id);
      const target = { kind: 'community', id, name: stored.name } as const;
      await audit(tx, entry, { action: 'community_delete', target });
      const stream = communityStream(id);
      const note = { hides: [ANY_POST] };
      const event = { op: 'COMMUNITY_DELETE', d: { id }, note } as const;
      await tx.emit({ stream, event }, { subject: stream });
      await tx.emit({ stream, end: { everyone: true } }, { subject: stream });
      return {};
    },
  );
}

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
