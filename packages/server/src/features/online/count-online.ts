import type { OnlineCount } from '@hearth/protocol';
import type { Actor } from '../../actor.ts';
import type { Context } from '../../context.ts';

/** How many connections the gateways of the instance have (ON4). */
export async function countOnline({ presence }: Context, _actor: Actor): Promise<OnlineCount> {
  return { count: await presence.total() };
}
