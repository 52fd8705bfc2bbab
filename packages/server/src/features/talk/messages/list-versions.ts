import { NotFoundError, type MessageVersion } from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import type { MessagePlace } from './list-messages.ts';
import { selectMessage } from './store.ts';
import { requireToDo, turningIn, type PlacesContext } from '../places/places.ts';
import { selectVersions } from './version-store.ts';

/** Which former contents of a message are requested. */
export interface VersionsQuery extends MessagePlace {
  /** A version: those before it. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** The former contents of a message, the newest first, for members with MANAGE_CONTENT. Throws NotFoundError and ForbiddenError. */
export async function listMessageVersions(
  ctx: PlacesContext,
  actor: Account,
  { channel_id: channelId, id, before, limit }: VersionsQuery,
): Promise<readonly MessageVersion[]> {
  await turningIn(ctx, actor, { placeId: channelId, requires: requireToDo(ctx, 'MANAGE_CONTENT') });
  const { reader } = ctx.database;
  if ((await selectMessage(reader, channelId, id)) === undefined) throw new NotFoundError();
  const versions = await selectVersions(reader, channelId, { id, before, limit });
  return versions.map((row) => ({
    version: Number(row.version),
    content: row.content,
    replaced_at: row.replaced_at_ms,
  }));
}
