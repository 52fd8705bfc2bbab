import type { Id } from '@hearth/protocol';
import type { Reader } from '../../../ports/database/database.ts';
import { evenly, placesAfter, readRows } from '../../../ports/database/read-rows.ts';

/** What somebody has to do with a post, and whether it has a poll. */
export interface PostMarks {
  readonly vote?: 1 | -1;
  readonly isSaved?: true;
  /** Up to which comment they have seen it. */
  readonly seenNumber?: number;
  readonly hasPoll?: true;
}

interface MarkRow {
  readonly kind: 'vote' | 'save' | 'visit' | 'poll';
  readonly post_id: Id;
  readonly value: number;
}

/** What somebody has to do with posts, and which of them have polls. Each page of a list asks this, so one statement does. */
export async function selectMarks(
  db: Reader,
  userId: Id | undefined,
  ids: readonly Id[],
): Promise<ReadonlyMap<Id, PostMarks>> {
  const some = evenly(ids);
  const isOne = (column: string) => `${column} in (${placesAfter(0, some.length)})`;
  const user = `$${some.length + 1}`;
  const polls = `select 'poll' as kind, post_id, 0 as value from polls where ${isOne('post_id')}`;
  const own = `union all select 'save', post_id, 0 from post_saves
      where ${isOne('post_id')} and user_id = ${user}
    union all select 'visit', post_id, comment_number from post_visits
      where ${isOne('post_id')} and user_id = ${user}
    union all select 'vote', subject_id, value from votes
      where ${isOne('subject_id')} and user_id = ${user}`;
  const statement =
    userId === undefined
      ? { text: polls, values: some }
      : { text: `${polls} ${own}`, values: [...some, userId] };
  const marks = new Map<Id, PostMarks>();
  for (const row of await readRows<MarkRow>(db, statement)) {
    const id = row.post_id;
    marks.set(id, { ...marks.get(id), ...markOf(row) });
  }
  return marks;
}

function markOf({ kind, value }: MarkRow): PostMarks {
  switch (kind) {
    case 'vote':
      return { vote: Number(value) > 0 ? 1 : -1 };
    case 'save':
      return { isSaved: true };
    case 'visit':
      return { seenNumber: Number(value) };
    case 'poll':
      return { hasPoll: true };
  }
}
