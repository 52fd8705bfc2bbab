import type { OnlineCount } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { findLobby } from '../places/places.ts';

/**
 * Counts the connections of the gateways of the instance (ON4). Throws UnauthorizedError or NotFoundError if the lobby
 * is closed, and ForbiddenError if the access code is needed.
 */
export async function countOnline(ctx: Context, actor: Actor): Promise<OnlineCount> {
  await findLobby(ctx, actor);
  return { count: await ctx.presence.total() };
}
