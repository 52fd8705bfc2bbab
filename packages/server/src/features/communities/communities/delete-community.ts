import { communityStream, ValidationError, type CommunityRemoval, type Id } from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import { audit } from '../audit/audit.ts';
import {
  ANY_POST,
  inCommunity,
  markCommunityDeleted,
  raiseStructure,
  stopWriting,
  type AccessContext,
} from '../structure/structure.ts';
import type { KeepsGuesses } from '../../platform/guesses/guesses.ts';
import { lockProved, type KeepsPasswords } from '../../accounts/users/users.ts';
import { hidePictures } from './community-pictures.ts';
import { proveOwner, requireOwner } from './owned-community.ts';

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
