import { HISTORY_PAGE, type Id, type LobbyMessage } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import { listMessages } from './list-messages.ts';
import type { LobbyReading } from './lobby-reading.ts';

/** The `limit` newest messages of the lobby, or those closest before `before`; the newest first. */
export async function listNewestMessages(
  ctx: LobbyReading,
  actor: Actor,
  { before, limit }: { readonly before: Id | undefined; readonly limit: number },
): Promise<readonly LobbyMessage[]> {
  const found: LobbyMessage[] = [];
  while (found.length < limit) {
    const asked = Math.min(limit - found.length, HISTORY_PAGE.max);
    const place = { after: undefined, before: found.at(-1)?.id ?? before };
    const page = await listMessages(ctx, actor, { ...place, limit: asked });
    found.push(...page);
    if (page.length < asked) break;
  }
  return found;
}
