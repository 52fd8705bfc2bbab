import type { Id } from '@hearth/protocol';
import type { Reader, Writer } from '../../ports/database/database.ts';
import { sortable } from '../../ports/database/sortable-id.ts';
import { storedId } from '../../ports/database/stored-id.ts';

/** Messages of a channel after one of them that mention one of the subjects. */
export interface UnreadMentions {
  readonly channelId: Id;
  /** A user, roles, and the everyone role. */
  readonly subjects: readonly Id[];
  readonly after: Id;
}

/** A message that mentions somebody. */
export interface StoredMention {
  readonly subjectId: Id;
  readonly channelId: Id;
  /** With leading zeros, because thousands are compared at once. */
  readonly sortableId: string;
}

/** How many messages of a channel after one of them mention one of the subjects, up to `most`. */
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
        .where('message_id', '>', sortable(after))
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
    subjectId: storedId(row.subject_id),
    channelId: storedId(row.channel_id),
    sortableId: row.message_id,
  }));
}

/** Forgets all but the newest messages of a channel that mention the subjects, for each of them. */
export async function deleteOldMentions(
  db: Writer,
  channelId: Id,
  { subjects, kept }: { readonly subjects: readonly Id[]; readonly kept: number },
): Promise<void> {
  await db
    .deleteFrom('channel_mentions')
    .where('channel_id', '=', channelId)
    .where('subject_id', 'in', subjects)
    .where((own) =>
      own(
        own.refTuple('subject_id', 'message_id'),
        'in',
        own
          .selectFrom(
            own
              .selectFrom('channel_mentions')
              .select((each) => [
                'subject_id',
                'message_id',
                each.fn
                  .agg<number>('row_number')
                  .over((over) => over.partitionBy('subject_id').orderBy('message_id', 'desc'))
                  .as('place'),
              ])
              .where('channel_id', '=', channelId)
              .where('subject_id', 'in', subjects)
              .as('placed'),
          )
          .select(['subject_id', 'message_id'])
          .where('place', '>', kept)
          .$asTuple('subject_id', 'message_id'),
      ),
    )
    .execute();
}
