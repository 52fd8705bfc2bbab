import { UnauthorizedError, type AccountRemoval } from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { releasing } from '../../platform/contents/contents.ts';
import type { KeepsGuesses } from '../../platform/guesses/guesses.ts';
import { lockProved, requireOwnPassword, type KeepsPasswords } from '../users/users.ts';
import { endAccount, type EndingContext } from './end-account.ts';

/**
 * Deletes the account of its user. Throws ValidationError for a wrong password, RateLimitedError after too many, and
 * ConflictError if the account owns communities.
 */
export async function deleteMe(
  ctx: Context & EndingContext & KeepsGuesses & KeepsPasswords,
  actor: Account,
  { current_password: password, content }: AccountRemoval,
): Promise<Record<never, never>> {
  const proved = await requireOwnPassword(ctx, actor, password);
  await releasing(ctx, (release) =>
    ctx.database.transaction(async (tx) => {
      await lockProved(tx, proved);
      const isDone = await endAccount(tx, ctx, { id: actor.user_id, content, release });
      if (!isDone) throw new UnauthorizedError('token_ended');
    }),
  );
  return {};
}
