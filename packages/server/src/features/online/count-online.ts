import type { OnlineCount } from '@hearth/protocol';
import type { Actor } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { requireAccessCode } from '../moderation/require-admission.ts';

/** How many connections the gateways of the instance have (ON4). Throws ForbiddenError if the access code is needed. */
export async function countOnline(ctx: Context, actor: Actor): Promise<OnlineCount> {
  await requireAccessCode(ctx, actor);
  return { count: await ctx.presence.total() };
}
