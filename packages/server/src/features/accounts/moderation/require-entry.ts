import { ForbiddenError } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { lasting, requireAccessCode } from './require-admission.ts';

/**
 * Throws ForbiddenError if nobody may begin anything from the actor's address: if it is banned, or if it lacks the access
 * code. Throws RateLimitedError after too many wrong codes, and ServerError if nothing of this can be known.
 */
export async function requireEntry(ctx: Context, actor: Actor): Promise<void> {
  const inForce = await ctx.restrictions.current();
  const ban = 'address' in actor ? lasting(ctx, inForce.bansOf(actor.address)) : undefined;
  if (ban !== undefined) throw new ForbiddenError({ code: 'banned', ...ban });
  await requireAccessCode(ctx, actor);
}
