import type { Id } from '@hearth/protocol';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { countReads } from '@hearth/testing/ports/count-reads';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { sql } from 'kysely';
import type { Account } from './actor.ts';
import { removeRest } from './features/forum/comments/remove-comments.ts';
import { noteMentions } from './features/talk/mentions/note-mentions.ts';
import { sweepNonces } from './features/platform/nonces/sweep-nonces.ts';
import { createRole } from './features/communities/roles/create-role.ts';
import { removeRoles } from './features/communities/roles/remove-role.ts';
import { Indexer } from './features/search/search/indexer.ts';
import { eraseVotes } from './features/forum/voting/erase-votes.ts';
import { purgeVotes } from './features/forum/voting/purge-votes.ts';
import type { InstanceContext } from './instance-context.ts';
import { jsonLogger } from './log/logger.ts';
import { ownerOutbox } from './ports/outbox/outbox.ts';

/** Some rows, and twice as many: both take several transactions. */
const [FEW, MANY] = [3_000, 6_000];

/**
 * The number of times that a row may be read: to find out where a transaction ends, to delete it, and by an index as
 * well as in the table. PostgreSQL has no statistics of the rows here, so that it expects few, and reads and sorts the
 * rest in each transaction.
 */
const READS_A_ROW = 12;

const { signal } = new AbortController();
const attempt = { id: '1' as Id, number: 1, signal };
const log = jsonLogger('error', (line) => expect(line).toBe(''));
const pause = async () => {};
const YEARS_MS = 3 * 365 * 86_400_000;

/** Adds rows: `numbers` has them as `i`, and with leading zeros as `p`. */
type Fill = (numbers: ReturnType<typeof numbersTo>) => ReturnType<typeof sql>;

interface Sweep {
  /** The tables whose reads count, first that of the rows. */
  readonly tables: readonly [string, ...string[]];
  readonly fill: Fill | readonly Fill[];
  readonly sweep: (ctx: InstanceContext) => Promise<unknown>;
  /** The part of the rows that stays. */
  readonly stays?: number;
}

onEachDatabase((open, engine) => {
  describe('what removes rows some at a time', () => {
    let own: CommunityTest;
    let ada: Account;
    let communityId: Id;
    let channelId: Id;

    beforeEach(async () => {
      own = await communityTest(open);
      ada = await own.person('ada');
      const garden = await own.garden(ada);
      communityId = garden.id;
      channelId = garden.channels[0]?.id ?? communityId;
    });
    afterEach(() => own[Symbol.asyncDispose]());

    /** Adds rows and removes them. Returns what that has read. */
    const readsOf = async (count: number, { tables, fill, sweep, stays = 0 }: Sweep) => {
      const [table] = tables;
      await own.database.transaction(async (tx) => {
        for (const each of [fill].flat()) await each(numbersTo(count)).execute(tx.sql);
      });
      const counted = countReads(own.database, engine, tables);
      // Guarantee: what is removed here needs nothing of the lobby.
      await sweep({ ...own.ctx, database: ownerOutbox(counted.database) } as InstanceContext);
      const reads = counted.taken();
      const { left } = await own.database.reader
        .selectFrom(table as 'channel_pins')
        .select((each) => each.fn.countAll().as('left'))
        .executeTakeFirstOrThrow();
      expect(Number(left)).toBe(count * stays);
      await own.database.transaction(async (tx) => {
        for (const each of tables) await sql`delete from ${sql.table(each)}`.execute(tx.sql);
      });
      return reads;
    };

    const expectFewReads = async (sweep: Sweep) => {
      for (const count of [FEW, MANY]) {
        const { rows, scans } = await readsOf(count, sweep);
        expect(scans).toEqual([]);
        expect(rows > 0).toBe(engine === 'postgres');
        expect(rows / count).toBeLessThanOrEqual(READS_A_ROW);
      }
    };

    const someVotes =
      (points: string): Fill =>
      (numbers) =>
        sql`insert into votes (subject_id, user_id, kind, channel_id, community_id, author_id, value, points, cast_at_ms)
          select ${'7' as Id}, p, 'comment', ${channelId}, ${communityId}, ${ada.user_id}, 1, ${sql.raw(points)}, 1
          from ${numbers}`;
    test('the words and entries of a former search index are read a few times', async () => {
      const entries: Fill = (numbers) =>
        sql`insert into search_entries (block, position, entry_id, kind, outdated)
          select 1, i, p, 'lobby', 0 from ${numbers}`;
      const words: Fill = (numbers) =>
        sql`insert into search_words (block, word, hits) select 1, p, 'x' from ${numbers}`;
      const former: Fill = () =>
        sql`insert into search_blocks (block, index_number, first_id, positions, outdated, has_lobby)
          values (1, 1, '', 0, 0, 0)`;
      const second: Fill = () =>
        sql`insert into search_state (name, index_number, complete_number, last_id, last_block)
          values ('search', 2, 2, '', 1) on conflict do nothing`;
      const sweep = async (ctx: InstanceContext) => {
        await using indexer = new Indexer({ ...ctx, log, pause });
        await indexer.run();
      };
      await expectFewReads({ tables: ['search_words'], fill: [second, former, words], sweep });
      await expectFewReads({ tables: ['search_entries'], fill: [second, former, entries], sweep });
    });

    test('the mentions of somebody that are kept are read once or twice with each new one', async () => {
      const [count, kept] = [300, 100];
      const counted = countReads(own.database, engine, ['channel_mentions']);
      for (let at = 0; at < count; at += 1) {
        await counted.database.transaction(async (tx) => {
          const mentions = { users: [ada.user_id] };
          await noteMentions(tx, [{ id: String(at) as Id, communityId: '', channelId, mentions }]);
        });
      }
      const left = await own.database.reader
        .selectFrom('channel_mentions')
        .select('message_id')
        .orderBy('message_id')
        .execute();
      expect(left).toHaveLength(kept);
      expect(left[0]?.message_id).toBe('200' as Id);
      const { rows, scans } = counted.taken();
      expect(scans).toEqual([]);
      expect(rows).toBeLessThanOrEqual(2.5 * kept * count);
    });

    test('votes that stay are read a few times if the channel is removed', async () => {
      await expectFewReads({
        tables: ['votes', 'comments'],
        fill: [
          someVotes('i % 2'),
          () => sql`insert into comments (id, post_id, channel_id, community_id, user_id, number, path, parent_id, depth,
              content, mentions, created_at_ms, edited_at_ms, deleted_at_ms, upvotes, downvotes, score, controversial,
              reply_count, version)
            values (${'7' as Id}, '8', ${channelId}, ${communityId}, ${ada.user_id}, 1, '1', '', 0, '', '', 1, 0, 0,
              0, 0, 0, 0, 0, 1)`,
        ],
        sweep: (ctx) => purgeVotes(ctx, { communityId, channelId, signal }),
        stays: 0.5,
      });
    });

    test('votes that gave somebody points are read a few times if the account is deleted', async () => {
      await expectFewReads({
        tables: ['votes', 'member_points'],
        fill: [
          someVotes('1'),
          () =>
            sql`insert into member_points (community_id, user_id, points) values (${communityId}, ${ada.user_id}, 1)`,
        ],
        sweep: (ctx) => eraseVotes(ctx, { userId: ada.user_id, content: 'keep', signal }),
      });
    });

    test('the votes for a deleted post and in its poll are read a few times', async () => {
      const postId = '7' as Id;
      const sweep = (ctx: InstanceContext) => removeRest(ctx, { channelId, postId, signal });
      const at = postId;
      await expectFewReads({ tables: ['votes'], fill: someVotes('0'), sweep });
      await expectFewReads({
        tables: ['poll_votes'],
        fill: (
          numbers,
        ) => sql`insert into poll_votes (post_id, user_id, channel_id, options, voted_at_ms)
          select ${at}, p, ${channelId}, '1', 1 from ${numbers}`,
        sweep,
      });
    });

    test('the members who have a role are read a few times if it is removed', async () => {
      const role = async () =>
        await createRole(own.ctx, ada, {
          community_id: communityId,
          name: 'x',
          hoisted: false,
          mentionable: false,
          self_assignable: false,
          permissions: [],
        });
      let { id } = await role();
      await own.database.transaction(async (tx) => {
        await sql`insert into users (id, username, display_name, bio, pronouns, avatar, banner, email, email_verified_at_ms,
            password_hash, state, staff_permissions, settings, created_at_ms, version)
          select p, p, '', '', '', '', '', '', 0, '', 'active', '', '{}', 1, 1 from ${numbersTo(MANY)}`.execute(
          tx.sql,
        );
      });
      await expectFewReads({
        tables: ['member_roles'],
        fill: (numbers) => sql`insert into member_roles (community_id, user_id, role_id)
          select ${communityId}, p, ${id} from ${numbers}`,
        async sweep(ctx) {
          await removeRoles(ctx).run({ role_id: id }, attempt);
          ({ id } = await role());
        },
      });
    });

    test('forgotten nonces are read a few times', async () => {
      own.clock.halt(YEARS_MS);
      const sweeping = (ctx: InstanceContext) => sweepNonces(ctx).run(undefined, attempt);
      await expectFewReads({
        tables: ['used_nonces'],
        fill: (
          numbers,
        ) => sql`insert into used_nonces (user_id, place, nonce, result_id, used_at_ms)
          select p, 'place', p, '1', i from ${numbers}`,
        sweep: sweeping,
      });
      await expectFewReads({
        tables: ['nonce_groups'],
        fill: (numbers) => sql`insert into nonce_groups (place, last_id, nonces, used_at_ms)
          select 'place', p, '[]', i from ${numbers}`,
        sweep: sweeping,
      });
    });
  });
});

function numbersTo(count: number) {
  return sql`(with recursive counted(i) as (
    select 1 union all select i + 1 from counted where i < ${sql.lit(count)}
  ) select i, ${sql.lit('0'.repeat(30))} || cast(100000000 + i as text) as p from counted) as numbers`;
}
