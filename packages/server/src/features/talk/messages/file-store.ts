import type { Id } from '@hearth/protocol';
import type { Transaction, Writer } from '../../../ports/database/database.ts';
import type { StoredMessage } from './stored-message.ts';

/** Forgets that files belong to a message. */
export async function deleteFiles(db: Writer, fileIds: readonly Id[]): Promise<void> {
  if (fileIds.length === 0) return;
  await db.deleteFrom('channel_files').where('file_id', 'in', fileIds).execute();
}

const INSERT = `insert into channel_files (file_id, channel_id, message_id)
  select file_id, channel_id, message_id from given`;

/** Notes which files belong to messages. */
export async function insertFiles(
  tx: Transaction,
  messages: readonly Pick<StoredMessage, 'channelId' | 'id' | 'files'>[],
): Promise<void> {
  const rows = messages.flatMap(({ channelId, id, files }) =>
    files.map((file) => [file.id, channelId, id]),
  );
  if (rows.length === 0) return;
  await tx.runMany({
    text: INSERT,
    columns: { file_id: 'text', channel_id: 'text', message_id: 'text' },
    rows,
  });
}
