import type { Id } from '@hearth/protocol';
import type { Transaction } from '../../../ports/database/database.ts';
import { GUARDED, type Guard } from '../places/places.ts';
import { listText, type StoredMessage } from './stored-message.ts';
import { mentionsText } from '../mentions/mentions.ts';

const INSERT = `insert into channel_messages (channel_id, id, user_id, content, created_at_ms,
    edited_at_ms, reply_to, mentions, files, reactions, pinned, version, post_id, kind)
  select given.channel_id, given.id, given.user_id, given.content, given.created_at_ms,
    0, given.reply_to, given.mentions, given.files, '', 0, 1, given.post_id, given.kind
  from given `;

const INSERTED = {
  channel_id: 'text',
  id: 'text',
  user_id: 'text',
  content: 'text',
  created_at_ms: 'bigint',
  reply_to: 'text',
  mentions: 'text',
  files: 'text',
  post_id: 'text',
  kind: 'text',
  ...GUARDED,
} as const;

/** A new message, and what lets its author write it. */
export interface NewMessage {
  readonly message: StoredMessage;
  readonly guard: Guard;
}

/**
 * Adds messages, but not of those whose guards are gone or have been changed. Returns the ids of those that it has not added. It
 * has to come after the places are locked: a statement that waits for a lock sees what was there before it
 * began to wait.
 */
export async function insertMessages(
  tx: Transaction,
  messages: readonly NewMessage[],
): Promise<ReadonlySet<Id>> {
  let count = 0;
  for (const [join, some] of Map.groupBy(messages, ({ guard }) => guard.join)) {
    count += await insertGuarded(tx, join, some);
  }
  if (count === messages.length) return NONE;
  const all = messages.map(({ message }) => message);
  const added = await selectContents(tx, all);
  return new Set(all.flatMap(({ id }) => (added.has(id) ? [] : [id])));
}

function insertGuarded(
  tx: Transaction,
  join: string,
  messages: readonly NewMessage[],
): Promise<number> {
  return tx.runMany({
    text: INSERT + join,
    columns: INSERTED,
    rows: messages.map(({ message, guard }) => [
      message.channelId,
      message.id,
      message.userId,
      message.content,
      message.createdAtMs,
      message.replyTo,
      mentionsText(message.mentions),
      listText(message.files),
      message.postId,
      message.isCard ? 'post' : '',
      guard.placeId,
      guard.userId,
      guard.version,
    ]),
  });
}

const NONE: ReadonlySet<Id> = new Set();

const SELECT_TARGETS = `select messages.channel_id, messages.id, messages.content from given
  join channel_messages messages on messages.channel_id = given.channel_id and messages.id = given.id`;

/** Reads the contents of messages of several channels, by their ids; those that were deleted are left out. */
export async function selectContents(
  tx: Transaction,
  messages: readonly Pick<StoredMessage, 'channelId' | 'id'>[],
): Promise<ReadonlyMap<Id, string>> {
  const rows = await tx.many<{ readonly id: Id; readonly content: string }>({
    text: SELECT_TARGETS,
    columns: { channel_id: 'text', id: 'text' },
    rows: messages.map(({ channelId, id }) => [channelId, id]),
  });
  return new Map(rows.map(({ id, content }) => [id, content]));
}
