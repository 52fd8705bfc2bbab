import type { Id } from '@hearth/protocol';
import { letOthersRun } from '../../../lib/let-others-run.ts';
import type { Reader, Writer } from '../../../ports/database/database.ts';
import { NO_ID, storedId } from '../../../ports/database/stored-id.ts';
import { newestBetween, type IdRange } from '../../../ports/database/id-range.ts';
import { readRowsIn } from '../../../ports/database/read-rows.ts';
import { forgetNotificationsAbout } from '../notifications/notifications.ts';
import { deleteReactionsTo } from '../reactions/reactions.ts';
import { noteChanged } from '../index-queue/index-queue.ts';
import { listText, messageOf, type StoredMessage } from './stored-message.ts';
import { forgetMentionsIn, mentionsText } from '../mentions/mentions.ts';
import type { ChannelMessagesTable } from './tables.ts';
import { keepVersion } from './version-store.ts';

/** A message of a channel. */
export async function selectMessage(
  db: Reader,
  channelId: Id,
  id: Id,
): Promise<StoredMessage | undefined> {
  const [message] = await selectMessages(db, channelId, [id]);
  return message;
}

/** Messages of a channel by their ids, in no order. */
export async function selectMessages(
  db: Reader,
  channelId: Id,
  ids: readonly Id[],
): Promise<readonly StoredMessage[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('channel_messages')
    .selectAll()
    .where('channel_id', '=', channelId)
    .where('id', 'in', ids)
    .execute();
  return rows.map(messageOf);
}

/** Messages by their ids, in no order. */
export async function selectMessagesById(
  db: Reader,
  ids: readonly Id[],
): Promise<readonly StoredMessage[]> {
  const statement = { text: 'select * from channel_messages where id in', values: [] };
  return (await readRowsIn<ChannelMessagesTable>(db, statement, ids)).map(messageOf);
}

/** The ids of the newest messages of all channels before an id, the newest first. */
export async function selectNewestMessageIds(
  db: Reader,
  range: Omit<IdRange, 'after'>,
): Promise<readonly Id[]> {
  const messages = await newestBetween(db.selectFrom('channel_messages').select('id'), range);
  return messages.map(({ id }) => id);
}

/** Messages of a channel, which no other transaction changes until the end of this one; the oldest first. */
export async function lockMessages(
  db: Writer,
  channelId: Id,
  ids: readonly Id[],
): Promise<readonly StoredMessage[]> {
  const rows = await db
    .selectFrom('channel_messages')
    .selectAll()
    .where('channel_id', '=', channelId)
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .execute();
  return rows.map(messageOf);
}

/** The messages of a range, the newest first. */
export async function selectRange(
  db: Reader,
  channelId: Id,
  range: IdRange,
): Promise<readonly StoredMessage[]> {
  const messages = db
    .selectFrom('channel_messages')
    .selectAll()
    .where('channel_id', '=', channelId);
  return (await newestBetween(messages, range)).map(messageOf);
}

/** The fields that an edit replaces. */
export type MessageEdit = Pick<StoredMessage, 'content' | 'editedAtMs' | 'mentions' | 'version'>;

/** Replaces the text of a message, and keeps the former one. */
export async function updateContent(
  db: Writer,
  former: StoredMessage,
  edit: MessageEdit,
): Promise<void> {
  const { id } = former;
  await keepVersion(db, former, edit.editedAtMs);
  await updateMessage(db, former, {
    content: edit.content,
    edited_at_ms: edit.editedAtMs,
    mentions: mentionsText(edit.mentions),
    version: edit.version,
  });
  await noteChanged(db, 'messages', [id]);
}

/** Messages of a channel after one of them that have files, the oldest first. */
export async function lockMessagesWithFiles(
  db: Writer,
  channelId: Id,
  { after, limit }: { readonly after: Id | undefined; readonly limit: number },
): Promise<readonly StoredMessage[]> {
  let query = db
    .selectFrom('channel_messages')
    .selectAll()
    .where('channel_id', '=', channelId)
    .where('files', '!=', '');
  if (after !== undefined) query = query.where('id', '>', after);
  const rows = await query.orderBy('id').limit(limit).forUpdate().execute();
  return rows.map(messageOf);
}

/** About how many messages a statement looks through for those of one user. */
const LOOKED_THROUGH = 1_000;

/** No identifier is greater. */
const LAST_ID = storedId('9'.repeat(39));

/** The ids after one and up to another. */
interface IdsBetween {
  readonly after: Id;
  readonly upTo: Id;
}

/** The messages to look through: those of a channel or of all, after an id and up to another. The default is all ids. */
interface LookedThrough {
  readonly channelId?: Id | undefined;
  readonly after?: Id | undefined;
  readonly upTo?: Id | undefined;
}

/**
 * Divides a range of ids into ranges of few messages, to look through for those of one user: no index has the messages of each user
 * together, because a message would change a page of its author's in it.
 */
export async function* shortRanges(
  db: Reader,
  { channelId, after = NO_ID, upTo = LAST_ID }: LookedThrough = {},
): AsyncGenerator<IdsBetween> {
  for (let last = after; ;) {
    let query = db
      .selectFrom('channel_messages')
      .select('id')
      .where('id', '>', last)
      .where('id', '<=', upTo);
    if (channelId !== undefined) query = query.where('channel_id', '=', channelId);
    const end = await query
      .orderBy('id')
      .offset(LOOKED_THROUGH - 1)
      .limit(1)
      .executeTakeFirst();
    yield { after: last, upTo: end?.id ?? upTo };
    await letOthersRun();
    if (end === undefined) return;
    last = end.id;
  }
}

/** Messages of a user in a short range, the oldest first. */
export async function selectMessagesOf(
  db: Reader,
  userId: Id,
  { after, upTo }: IdsBetween,
): Promise<readonly StoredMessage[]> {
  const rows = await db
    .selectFrom('channel_messages')
    .selectAll()
    .where('user_id', '=', userId)
    .where('id', '>', after)
    .where('id', '<=', upTo)
    .orderBy('id')
    .execute();
  return rows.map(messageOf);
}

/** Removes messages of a channel, and everything that belongs to them but their files. */
export async function deleteMessages(
  db: Writer,
  channelId: Id,
  messages: readonly Id[],
): Promise<void> {
  if (messages.length === 0) return;
  const ids = messages;
  const deleteParts = (table: 'channel_message_versions' | 'channel_pins') =>
    db
      .deleteFrom(table)
      .where('channel_id', '=', channelId)
      .where('message_id', 'in', ids)
      .execute();
  await deleteParts('channel_message_versions');
  await forgetMentionsIn(db, channelId, messages);
  await deleteParts('channel_pins');
  await deleteReactionsTo(db, ids);
  await forgetNotificationsAbout(db, channelId, messages);
  await noteChanged(db, 'messages', messages);
  await db
    .deleteFrom('channel_messages')
    .where('channel_id', '=', channelId)
    .where('id', 'in', ids)
    .execute();
}

/** Replaces the reactions that a message counts. */
export function updateReactions(
  db: Writer,
  message: StoredMessage,
  { reactions, version }: Pick<StoredMessage, 'reactions' | 'version'>,
): Promise<void> {
  return updateMessage(db, message, { reactions: listText(reactions), version });
}

/** Pins a message, or takes it from the pins. */
export async function updatePinned(
  db: Writer,
  message: StoredMessage,
  { pinnedAtMs, version }: { readonly pinnedAtMs: number | undefined; readonly version: number },
): Promise<void> {
  const pin = { channel_id: message.channelId, message_id: message.id };
  if (pinnedAtMs !== undefined) {
    await db
      .insertInto('channel_pins')
      .values({ ...pin, pinned_at_ms: pinnedAtMs })
      .execute();
  } else {
    await db
      .deleteFrom('channel_pins')
      .where('channel_id', '=', pin.channel_id)
      .where('message_id', '=', pin.message_id)
      .execute();
  }
  await updateMessage(db, message, { pinned: pinnedAtMs === undefined ? 0 : 1, version });
}

/** The place of a message of a user. */
export type MessagePlace = Pick<StoredMessage, 'channelId' | 'id'>;

/** Messages of a user in a short range, the oldest first: those of a channel, or all. */
export async function selectPlacesOf(
  db: Reader,
  userId: Id,
  { channelId, after, upTo }: IdsBetween & LookedThrough,
): Promise<readonly MessagePlace[]> {
  let query = db
    .selectFrom('channel_messages')
    .select(['channel_id', 'id'])
    .where('user_id', '=', userId)
    .where('id', '>', after)
    .where('id', '<=', upTo);
  if (channelId !== undefined) query = query.where('channel_id', '=', channelId);
  const rows = await query.orderBy('id').execute();
  return rows.map((row) => ({ channelId: row.channel_id, id: row.id }));
}

async function updateMessage(
  db: Writer,
  { channelId, id }: Pick<StoredMessage, 'channelId' | 'id'>,
  columns: {
    content?: string;
    edited_at_ms?: number;
    mentions?: string;
    reactions?: string;
    pinned?: number;
    version: number;
  },
): Promise<void> {
  await db
    .updateTable('channel_messages')
    .set(columns)
    .where('channel_id', '=', channelId)
    .where('id', '=', id)
    .execute();
}
