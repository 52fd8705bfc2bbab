import { formatId, type Id } from '@hearth/protocol';
import { sql } from 'kysely';
import type { Database } from '../../../server/src/ports/database/database.ts';
import { NEW_CHANNEL_ROW, NEW_TURN_ROW } from './new-channel-row.ts';

const NOW_MS = 1_795_000_000_000;
/** Posts are numbered from here, so that their ids have the same length. */
const FIRST_NUMBER = 100_000_000;
const DIGITS = 1_000_000_000n;
const CHANNEL_SECONDS = 6;
const POST_SECONDS = 7;

const idOf = (seconds: number, sequence: number) => formatId({ seconds, instanceId: 1, sequence });

/** The channel with posts of a community that was written, by its number. */
export function seededPosts(at: number): Id {
  return idOf(CHANNEL_SECONDS, at);
}

/** A post that was written, in the order of their numbers from 1 on: community by community. */
export function seededPost(number: number): Id {
  // Guarantee: made of digits.
  return `${postPrefix()}${FIRST_NUMBER + number}` as Id;
}

/** Adds a channel with posts to each community, and makes a user a member of all. */
export async function seedPosts(
  database: Pick<Database, 'transaction'>,
  communities: readonly { readonly id: Id }[],
  { user, posts }: { readonly user: Id; readonly posts: number },
): Promise<void> {
  await database.transaction(async ({ sql: db }) => {
    for (const [at, { id }] of communities.entries()) {
      const channel = seededPosts(at);
      await db
        .insertInto('channels')
        .values({
          ...NEW_CHANNEL_ROW,
          ...{ id: channel, community_id: id, kind: 'posts' as const, name: 'posts' },
          position: 1,
        })
        .execute();
      const turn = { ...NEW_TURN_ROW, id: channel, number: posts };
      await db.insertInto('turns').values(turn).execute();
      const member = { nickname: '', joined_at_ms: NOW_MS, timed_out_until_ms: 0, version: 1 };
      await db
        .insertInto('members')
        .values({ community_id: id, user_id: user, ...member })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      const first = postPrefix().padStart(39 - String(FIRST_NUMBER).length, '0');
      await sql`
        insert into posts (id, channel_id, community_id, user_id, title, content, url, tags, mentions, files, created_at_ms,
          edited_at_ms, pinned, locked, spoiler, sensitive, from_channel_id, from_message_id, crosspost_of, accepted_comment_id,
          upvotes, downvotes, score, hot, active, controversial, comment_count, comment_number, last_comment_at_ms, version)
        with recursive numbers(i) as (
          select 1 union all select i + 1 from numbers where i < ${sql.lit(posts)}
        ), votes(i, up, down) as (select i, (i * 7919) % 997, (i * 104729) % 89 from numbers)
        select ${sql.lit(first)} || cast(${sql.lit(FIRST_NUMBER + at * posts)} + i as text), ${channel}, ${id},
          ${user}, 'Post ' || cast(i as text), 'The quick brown fox jumps over the lazy dog, and then once again.',
          '', '', '', '', ${sql.lit(NOW_MS - posts * 60_000)} + i * 60000, 0, 0, 0, 0, 0, '', '', '', '',
          up, down, up - down, i / 750.0 + (up - down) / 300.0, i / 750.0 + (up - down) / 299.0, up * down / 7.0,
          0, 0, 0, 1
        from votes
      `.execute(db);
    }
  });
}

function postPrefix(): string {
  return String(BigInt(idOf(POST_SECONDS, 0)) / DIGITS);
}
