import type { Id } from '@hearth/protocol';
import type { Transaction, Writer } from '../../ports/database/database.ts';
import { sortable } from '../../ports/database/sortable-id.ts';
import type { StoredMessage } from '../messages/stored-message.ts';

const INSERT_MANY = `insert into channel_mentions (subject_id, channel_id, message_id)
  select subject_id, channel_id, message_id from given`;

/** Notes whom messages mention. */
export async function insertAllMentions(
  tx: Transaction,
  mentions: readonly (Pick<StoredMessage, 'channelId' | 'id'> & { readonly subjectId: Id })[],
): Promise<void> {
  await tx.runMany({
    text: INSERT_MANY,
    columns: { subject_id: 'text', channel_id: 'text', message_id: 'text' },
    rows: mentions.map(({ subjectId, channelId, id }) => [subjectId, channelId, sortable(id)]),
  });
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
