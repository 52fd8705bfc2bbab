import { formatId, type Id } from '@hearth/protocol';
import { sql } from 'kysely';
import { systemClock } from '../../../server/src/lib/clock.ts';
import type { Database, Writer } from '../../../server/src/ports/database/database.ts';
import { sortable } from '../../../server/src/ports/database/sortable-id.ts';
import { indexSearch } from './index-search.ts';
import { randomNumbers, someText } from './searched-words.ts';
import { NEW_CHANNEL_ROW, NEW_TURN_ROW } from './new-channel-row.ts';

/** Posts to write. */
interface SearchedPosts {
  readonly community: Id;
  /** The authors, in turn. */
  readonly users: readonly Id[];
  /** Posts and comments: every tenth is a post, and those after it are comments on it. */
  readonly rows: number;
}

/** A post or comment. */
interface Row {
  readonly id: string;
  readonly number: number;
  readonly user: Id;
  readonly title: string;
  readonly content: string;
}

const ROWS_A_POST = 10;
const ROWS_AT_ONCE = 4_096;
const NOW_MS = 1_795_000_000_000;
const MINUTE_MS = 60_000;

/** The channel that is searched. */
export const SEARCHED_CHANNEL: Id = formatId({ seconds: 8, instanceId: 1, sequence: 0 });

/** Adds a channel with posts and comments to a community, and indexes them, on SQLite. */
export async function seedSearchedPosts(
  database: Database,
  { community, users, rows }: SearchedPosts,
): Promise<void> {
  const random = randomNumbers();
  const rowAt = (number: number): Row => {
    const [title, content] = [someText(random), someText(random)];
    const user = sortable(userOf(users, number));
    return { id: sortable(idAt(number)), number, user, title, content };
  };
  await database.transaction(({ sql: db }) => insertChannel(db, { community, rows }));
  for (let first = 0; first < rows; first += ROWS_AT_ONCE) {
    const length = Math.min(ROWS_AT_ONCE, rows - first);
    const written = Array.from({ length }, (_, at) => rowAt(first + at));
    const { posts = [], comments = [] } = Object.groupBy(written, ({ number }) =>
      number % ROWS_A_POST === 0 ? 'posts' : 'comments',
    );
    await database.transaction(async ({ sql: db }) => {
      await insertPosts(db, community, posts);
      await insertComments(db, community, comments);
    });
  }
  await indexSearch({ database, clock: systemClock });
}

function idAt(number: number): Id {
  return formatId({ seconds: 1_000_000 + number, instanceId: 1, sequence: 0 });
}

function userOf(users: readonly Id[], number: number): Id {
  const user = users[number % users.length];
  if (user === undefined) throw new RangeError('there are no users');
  return user;
}

async function insertChannel(
  db: Writer,
  { community, rows }: Pick<SearchedPosts, 'community' | 'rows'>,
): Promise<void> {
  const lastPost = Math.floor((rows - 1) / ROWS_A_POST) * ROWS_A_POST;
  await db
    .insertInto('channels')
    .values({
      ...NEW_CHANNEL_ROW,
      ...{ id: SEARCHED_CHANNEL, community_id: community, kind: 'posts' as const },
      ...{ name: 'searched', position: 2 },
    })
    .execute();
  const turn = { id: SEARCHED_CHANNEL, number: rows, last_id: idAt(lastPost) };
  await db
    .insertInto('turns')
    .values({ ...NEW_TURN_ROW, ...turn })
    .execute();
}

// One statement for all: a value for each column of each row would take minutes. The list goes by the name of a column that
// holds texts, so that it is stored as it is.
async function insertPosts(db: Writer, community: Id, posts: readonly Row[]): Promise<void> {
  await sql`
    insert into posts (id, channel_id, community_id, user_id, title, content, url, tags, mentions, files, created_at_ms,
      edited_at_ms, pinned, locked, spoiler, sensitive, from_channel_id, from_message_id, crosspost_of, accepted_comment_id,
      upvotes, downvotes, score, hot, active, controversial, comment_count, comment_number, last_comment_at_ms, version)
    select value ->> 'id', ${SEARCHED_CHANNEL}, ${community}, value ->> 'user', value ->> 'title', value ->> 'content',
      '', '', '', '', ${NOW_MS} + (value ->> 'number') * ${MINUTE_MS}, 0, 0, 0, 0, 0, '', '', '', '', 0, 0, 0,
      value ->> 'number', value ->> 'number', 0, ${ROWS_A_POST - 1}, ${ROWS_A_POST - 1}, 0, 1
    from (select ${JSON.stringify(posts)} as content) as given, json_each(given.content)
  `.execute(db);
}

async function insertComments(db: Writer, community: Id, comments: readonly Row[]): Promise<void> {
  const rows = comments.map(({ number, ...comment }) => {
    const place = number % ROWS_A_POST;
    const path = place.toString(36).padStart(6, '0');
    return { ...comment, number, place, path, post: sortable(idAt(number - place)) };
  });
  await sql`
    insert into comments (id, post_id, channel_id, community_id, user_id, number, path, parent_id, depth, content, mentions,
      created_at_ms, edited_at_ms, deleted_at_ms, upvotes, downvotes, score, controversial, reply_count, version)
    select value ->> 'id', value ->> 'post', ${SEARCHED_CHANNEL}, ${community}, value ->> 'user', value ->> 'place',
      value ->> 'path', '', 0, value ->> 'content', '', ${NOW_MS} + (value ->> 'number') * ${MINUTE_MS}, 0, 0, 0, 0, 0, 0, 0, 1
    from (select ${JSON.stringify(rows)} as content) as given, json_each(given.content)
  `.execute(db);
}
