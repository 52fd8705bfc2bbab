import { UnauthorizedError } from '@hearth/protocol';
import type { Actor } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { requireAccessCode } from '../moderation/require-admission.ts';

/** Throws if visitors may not read what is public here and `actor` is one, or if `actor` lacks the access code. */
export async function requireReader(ctx: Context, actor: Actor): Promise<void> {
  await requireAccessCode(ctx, actor);
  if (actor.kind === 'guest' && ctx.settings.lobby === 'accounts') {
    throw new UnauthorizedError('token_invalid');
  }
}
