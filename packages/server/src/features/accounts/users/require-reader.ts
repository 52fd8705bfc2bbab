import { UnauthorizedError } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { andThen } from '../../../lib/and-then.ts';
import { requireAccessCode } from '../moderation/moderation.ts';

/** Throws, or rejects, if visitors may not read what is public here and `actor` is one, or if `actor` lacks the access code. */
export function requireReader(ctx: Context, actor: Actor): void | Promise<void> {
  return andThen(requireAccessCode(ctx, actor), () => {
    if (actor.kind === 'guest' && ctx.settings.lobby === 'accounts') {
      throw new UnauthorizedError('token_invalid');
    }
  });
}
