import type { Id } from '@hearth/protocol';
import type { Writer } from '../../ports/database/database.ts';
import { sortable } from '../../ports/database/sortable-id.ts';
import type { StoredMessage } from './stored-message.ts';

/** Notes whom a message mentions. */
export async function insertMentions(
  db: Writer,
  { channelId, id }: Pick<StoredMessage, 'channelId' | 'id'>,
  subjects: Iterable<Id>,
): Promise<void> {
  const message = { channel_id: channelId, message_id: sortable(id) };
  const rows = Array.from(subjects, (subject) => ({ subject_id: subject, ...message }));
  if (rows.length > 0) await db.insertInto('channel_mentions').values(rows).execute();
}

/** Forgets that a message has mentioned somebody. */
export async function deleteMentions(
  db: Writer,
  { channelId, id }: Pick<StoredMessage, 'channelId' | 'id'>,
  subjects: readonly Id[],
): Promise<void> {
  if (subjects.length === 0) return;
  await db
    .deleteFrom('channel_mentions')
    .where('channel_id', '=', channelId)
    .where('message_id', '=', sortable(id))
    .where('subject_id', 'in', subjects)
    .execute();
}
