import type { Id } from '@hearth/protocol';
import type { Reader, Transaction, Writer } from '../../../ports/database/database.ts';
import { evenly } from '../../../ports/database/read-rows.ts';

/** Messages of a channel after one of them that mention one of the subjects. */
export interface UnreadMentions {
  readonly channelId: Id;
  /** A user, roles, and the everyone role. */
  readonly subjects: readonly Id[];
  readonly after: Id;
}

/** A message or post of a channel. */
interface Mentioning {
  readonly channelId: Id;
  readonly id: Id;
}

/** Somebody whom a message or post mentions. */
export interface StoredMention extends Mentioning {
  readonly subjectId: Id;
}

const INSERT_MANY = `insert into channel_mentions (subject_id, channel_id, message_id)
  select subject_id, channel_id, message_id from given`;

/** Notes whom messages or posts mention. */
export async function insertAllMentions(
  tx: Transaction,
  mentions: readonly StoredMention[],
): Promise<void> {
  await tx.runMany({
    text: INSERT_MANY,
    columns: { subject_id: 'text', channel_id: 'text', message_id: 'text' },
    rows: mentions.map(({ subjectId, channelId, id }) => [subjectId, channelId, id]),
  });
}

/** Forgets that a message or post has mentioned somebody. */
export async function forgetMentions(
  db: Writer,
  { channelId, id }: Mentioning,
  subjects: readonly Id[],
): Promise<void> {
  if (subjects.length === 0) return;
  await db
    .deleteFrom('channel_mentions')
    .where('channel_id', '=', channelId)
    .where('message_id', '=', id)
    .where('subject_id', 'in', subjects)
    .execute();
}

/** Forgets whom messages or posts of a channel have mentioned. */
export async function forgetMentionsIn(
  db: Writer,
  channelId: Id,
  ids: readonly Id[],
): Promise<void> {
  await db
    .deleteFrom('channel_mentions')
    .where('channel_id', '=', channelId)
    .where('message_id', 'in', ids)
    .execute();
}

/** Counts the messages of a channel after one of them that mention one of the subjects, up to `most`. */
export async function selectMentionCount(
  db: Reader,
  { channelId, subjects, after }: UnreadMentions,
  most: number,
): Promise<number> {
  const { count } = await db
    .selectFrom(
      db
        .selectFrom('channel_mentions')
        .select('message_id')
        .distinct()
        .where('subject_id', 'in', subjects)
        .where('channel_id', '=', channelId)
        .where('message_id', '>', after)
        .limit(most)
        .as('unread'),
    )
    .select((own) => own.fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The messages that mention one of the subjects, in no order. */
export async function selectMentions(
  db: Reader,
  subjects: readonly Id[],
): Promise<readonly StoredMention[]> {
  if (subjects.length === 0) return [];
  const rows = await db
    .selectFrom('channel_mentions')
    .selectAll()
    .where('subject_id', 'in', subjects)
    .execute();
  return rows.map((row) => ({
    subjectId: row.subject_id,
    channelId: row.channel_id,
    id: row.message_id,
  }));
}

/** Forgets all but the newest messages of a channel that mention the subjects, for each of them. Reads no more than it keeps. */
export async function deleteOldMentions(
  tx: Transaction,
  channelId: Id,
  { subjects, kept }: { readonly subjects: readonly Id[]; readonly kept: number },
): Promise<void> {
  const some = evenly(subjects);
  const each = some.map((_, at) => `($${at + 1})`).join(',');
  const channel = `$${some.length + 1}`;
  // The rows to delete are found from the subjects: any other condition on them may tempt the planner to find them again for each row.
  const text = `with subject (subject_id) as (values ${each})
    delete from channel_mentions where (subject_id, channel_id, message_id) in (
      select old.subject_id, old.channel_id, old.message_id from (
        select subject.subject_id, (
          select newest.message_id from channel_mentions newest
          where newest.subject_id = subject.subject_id and newest.channel_id = ${channel}
          order by newest.message_id desc limit 1 offset ${kept}
        ) as last_id from subject
      ) as bound join channel_mentions old
        on old.subject_id = bound.subject_id and old.channel_id = ${channel} and old.message_id <= bound.last_id
    )`;
  await tx.run({ text, values: [...some, channelId] });
}
