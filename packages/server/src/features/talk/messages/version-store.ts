import type { Id } from '@hearth/protocol';
import type { Reader, Writer } from '../../../ports/database/database.ts';
import type { StoredMessage } from './stored-message.ts';

/** The number of former contents of a message that are kept. */
const MOST_MESSAGE_VERSIONS = 100;

/** Keeps what a message said, and removes the oldest of its former contents if they are too many. */
export async function keepVersion(
  db: Writer,
  former: StoredMessage,
  replacedAtMs: number,
): Promise<void> {
  await db
    .insertInto('channel_message_versions')
    .values({
      channel_id: former.channelId,
      message_id: former.id,
      version: former.version,
      content: former.content,
      replaced_at_ms: replacedAtMs,
    })
    .execute();
  await deleteOldVersions(db, former);
}

/** Removes all but the newest former contents of a message. */
async function deleteOldVersions(
  db: Writer,
  { channelId, id }: Pick<StoredMessage, 'channelId' | 'id'>,
): Promise<void> {
  await db
    .deleteFrom('channel_message_versions')
    .where('channel_id', '=', channelId)
    .where('message_id', '=', id)
    .where('version', '<=', (from) =>
      from
        .selectFrom('channel_message_versions')
        .select('version')
        .where('channel_id', '=', channelId)
        .where('message_id', '=', id)
        .orderBy('version', 'desc')
        .limit(1)
        .offset(MOST_MESSAGE_VERSIONS),
    )
    .execute();
}

/** The former contents of a message, the newest first. */
export async function selectVersions(
  db: Reader,
  channelId: Id,
  {
    id,
    before,
    limit,
  }: { readonly id: Id; readonly before: number | undefined; readonly limit: number },
) {
  let query = db
    .selectFrom('channel_message_versions')
    .select(['version', 'content', 'replaced_at_ms'])
    .where('channel_id', '=', channelId)
    .where('message_id', '=', id);
  if (before !== undefined) query = query.where('version', '<', before);
  return await query.orderBy('version', 'desc').limit(limit).execute();
}
