import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { releasing } from '../../platform/contents/contents.ts';
import { endAccount, type EndingContext } from '../own-account/own-account.ts';
import type { ErasedContent } from '../erasure/erasure.ts';
import { changeManagedUser, requireState, type ManagingContext } from './change-managed-user.ts';
import type { ManagedUser } from './store.ts';

/** Which account goes, by its name or its id, and what happens to what its person wrote. */
export interface UserDeletion {
  readonly user: string;
  readonly content: ErasedContent;
}

/**
 * Deletes an account. Its name becomes free after a year; at once if the account was never approved. Throws ForbiddenError,
 * NotFoundError, and ConflictError if it is deleted already or owns communities.
 */
export function deleteUser(
  ctx: ManagingContext & EndingContext & Pick<Context, 'blobs' | 'log'>,
  actor: Actor,
  { user, content }: UserDeletion,
): Promise<ManagedUser> {
  return releasing(ctx, (release) =>
    changeManagedUser(ctx, actor, {
      user,
      locksAwaited: true,
      async work(tx, found) {
        requireState(found, { from: ['active', 'pending', 'disabled'], to: 'deleted' });
        await endAccount(tx, ctx, { id: found.id, content, release });
      },
    }),
  );
}
