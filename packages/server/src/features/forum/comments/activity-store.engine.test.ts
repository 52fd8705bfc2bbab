import type { Id } from '@hearth/protocol';
import { seedComments } from '@hearth/testing/seeded-comments';
import { onEachDatabase, type TestDatabase } from '@hearth/testing/servers/each-database';
import { storePost, type StoredPlace } from '@hearth/testing/stored-posts';
import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test';
import { readRows } from '../../../ports/database/read-rows.ts';
import { NO_ID, storedId } from '../../../ports/database/stored-id.ts';
import { ACTIVE_FOR_MS } from '../posts/ranks.ts';
import { selectActivity } from './counted-comment-store.ts';

const [ADA, BOB] = [storedId('11'), storedId('12')];
const WRITTEN_AT_MS = 1_800_000_000_000;
const LATEST_MS = WRITTEN_AT_MS + ACTIVE_FOR_MS;

/** Each has some 20 columns, and a statement of SQLite 32,766 values. */
const ROWS_AT_ONCE = 500;

/** The author and the time of a comment; nobody if it was deleted and its place was kept. */
type Written = readonly [userId: Id | '', createdAtMs: number];

onEachDatabase((open, engine) => {
  describe('when a post is active', () => {
    let database: TestDatabase;
    let posts = 0;

    beforeAll(async () => {
      database = await open();
    });
    afterAll(() => database[Symbol.asyncDispose]());

    /** Stores a post of Ada's with comments, in the order of their ids. */
    async function postWith(comments: readonly Written[]): Promise<StoredPlace> {
      posts += 1;
      const [channelId, communityId] = [storedId('21'), storedId('22')];
      const post = {
        id: storedId(String(1_000 + posts)),
        channelId,
        communityId,
        userId: ADA,
        createdAtMs: WRITTEN_AT_MS,
      };
      await storePost(database, post);
      await seedComments(database, post, {
        comments: comments.map(() => ({ parent: undefined, upvotes: 0, downvotes: 0 })),
        firstId: BigInt(posts) * 1_000_000n,
        controversyOf: () => 0,
      });
      await database.transaction(async ({ sql }) => {
        const of = sql.selectFrom('comments').selectAll().where('post_id', '=', post.id);
        const rows = (await of.execute()).map((row) => {
          const [user_id, created_at_ms] = comments[Number(row.number) - 1] ?? [ADA, 0];
          return { ...row, user_id: user_id === '' ? NO_ID : user_id, created_at_ms };
        });
        for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
          await sql
            .insertInto('comments')
            .values(rows.slice(from, from + ROWS_AT_ONCE))
            .onConflict((conflict) =>
              conflict.column('id').doUpdateSet((given) => ({
                user_id: given.ref('excluded.user_id'),
                created_at_ms: given.ref('excluded.created_at_ms'),
              })),
            )
            .execute();
        }
      });
      return post;
    }

    test.each<[string, readonly Written[], number]>([
      ['no comment', [], 0],
      ['only comments of its author', [[ADA, WRITTEN_AT_MS + 1]], 0],
      ['only a comment that is too late', [[BOB, LATEST_MS + 1]], 0],
      ['a comment at the last moment', [[BOB, LATEST_MS]], LATEST_MS],
      [
        'late comments after one that counts',
        [[BOB, WRITTEN_AT_MS + 5], ...Array<Written>(200).fill([BOB, LATEST_MS + 1])],
        WRITTEN_AT_MS + 5,
      ],
      [
        'comments of its author and deleted ones after one that counts',
        [
          [BOB, WRITTEN_AT_MS + 5],
          ...Array<Written>(200).fill([ADA, WRITTEN_AT_MS + 6]),
          ...Array<Written>(200).fill(['', WRITTEN_AT_MS + 7]),
        ],
        WRITTEN_AT_MS + 5,
      ],
      [
        'comments whose ids are in another order than their times',
        [
          [BOB, WRITTEN_AT_MS + 9],
          [BOB, WRITTEN_AT_MS + 8],
        ],
        WRITTEN_AT_MS + 9,
      ],
    ])('[CT11] a post with %s', async (_what, comments, expected) => {
      await postWith([[BOB, WRITTEN_AT_MS + 20]]);
      expect(await selectActivity(database.reader, await postWith(comments))).toBe(expected);
    });

    test('[CT11] the comment that counts is found without reading all comments of the post', async () => {
      const post = await postWith(
        Array.from({ length: 1_000 }, (_, index): Written => [BOB, WRITTEN_AT_MS + index]),
      );
      const execute = spyOn(database.reader, 'executeQuery');
      await selectActivity(database.reader, post);
      const [query] = execute.mock.calls[0] ?? [];
      execute.mockRestore();
      const { sql: text = '', parameters = [] } = query && 'sql' in query ? query : {};
      const plan = JSON.stringify(
        await readRows(database.reader, {
          text: `explain ${engine === 'sqlite' ? 'query plan' : ''} ${text}`,
          values: parameters.filter(
            (value) => typeof value === 'string' || typeof value === 'number',
          ),
        }),
      );
      expect(plan).toContain('comments_activity');
      // Neither a sort nor an aggregate, which would need every row.
      expect(plan).not.toMatch(/sort|aggregate|temp b-tree/i);
      if (engine === 'sqlite') expect(plan).toContain('USING COVERING INDEX');
    });
  });
});
