import { formatId, ID_EPOCH_SECONDS, ValidationError, type Id } from '@hearth/protocol';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { failureOf } from '@hearth/testing/failure-of';
import { writePosts } from '@hearth/testing/listed-posts';
import { seedComments } from '@hearth/testing/seeded-comments';
import { readerBefore } from '@hearth/testing/ports/reader-before';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { storePost } from '@hearth/testing/stored-posts';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Account } from '../../../actor.ts';
import { createChannel } from '../../communities/channels/create-channel.ts';
import {
  listUserComments,
  MOST_READ as MOST_COMMENTS,
} from '../../forum/comments/list-user-comments.ts';
import { listUserPosts, MOST_READ as MOST_POSTS } from '../../forum/post-lists/list-user-posts.ts';

/** The number of rows of posts that fit into a statement of either engine. */
const ROWS_AT_ONCE = 500;

onEachDatabase((open) => {
  describe('cursors of lists with hidden entries', () => {
    let own: CommunityTest;
    let ada: Account;
    let bob: Account;

    beforeAll(async () => {
      own = await communityTest(open);
      ada = await own.person('ada');
      bob = await own.person('bob');
    });
    afterAll(() => own[Symbol.asyncDispose]());

    /** A place for posts, in a community that nobody else sees, or that everyone sees. */
    async function place(visibility: 'private' | 'public') {
      const { id: communityId } = await own.garden(ada, { visibility });
      const made = { community_id: communityId, kind: 'posts', name: 'news' } as const;
      const { id: channelId } = await createChannel(own.ctx, ada, made);
      return { channelId, communityId, userId: ada.user_id, createdAtMs: own.clock.unixMs() };
    }

    const idOf = (sequence: number): Id => {
      const seconds = Math.floor(own.clock.unixMs() / 1_000) - ID_EPOCH_SECONDS;
      return formatId({ seconds, instanceId: 1, sequence });
    };

    /** Returns whether a cursor has the digits of an id, plainly or encoded. */
    const names = (cursor: string | undefined, id: Id) =>
      [cursor ?? '', Buffer.from(cursor ?? '', 'base64url').toString('latin1')].some((text) =>
        text.includes(id),
      );

    test('[LS15] the link to the next page of the posts of somebody does not name a hidden post', async () => {
      const [shown, hidden] = [await place('public'), await place('private')];
      const ids = Array.from({ length: MOST_POSTS + 1 }, (_, index) => idOf(index + 1));
      const [oldest, last] = ids;
      if (oldest === undefined || last === undefined) throw new Error('there are no ids');
      for (let from = 0; from < ids.length; from += ROWS_AT_ONCE) {
        const some = ids.slice(from, from + ROWS_AT_ONCE);
        await writePosts(
          own.database,
          some.map((id) => ({ ...(id === oldest ? shown : hidden), id })),
        );
      }
      const memberships: string[] = [];
      const reader = readerBefore(own.ctx.database.reader, async ({ sql }) => {
        if (sql.includes('member_roles')) memberships.push(sql);
      });
      const ctx = { ...own.ctx, database: { ...own.ctx.database, reader } };
      const page = (cursor?: string) =>
        listUserPosts(ctx, bob, { id: ada.user_id, cursor, limit: 50 });
      const first = await page();
      expect(first.entries).toEqual([]);
      expect(memberships).toHaveLength(1);
      expect(names(first.cursor, last)).toBe(false);
      expect((await page(first.cursor)).entries.map(({ id }) => id)).toEqual([oldest]);
    });

    test('[CT13][CT13a] the link to the next page of the comments of somebody does not name a hidden comment', async () => {
      const [shown, hidden] = [await place('public'), await place('private')];
      const posts = [shown, hidden].map((each, index) => ({ ...each, id: idOf(50_000 + index) }));
      for (const post of posts) await storePost(own.database, post);
      const [open, closed] = posts;
      if (open === undefined || closed === undefined) throw new Error('there are no posts');
      const seeded = (length: number, firstId: bigint) => ({
        comments: Array.from({ length }, () => ({ parent: undefined, upvotes: 0, downvotes: 0 })),
        firstId,
        controversyOf: () => 0,
      });
      const [oldest] = await seedComments(own.database, open, seeded(1, 1_000n));
      const [last] = await seedComments(own.database, closed, seeded(MOST_COMMENTS, 2_000n));
      if (oldest === undefined || last === undefined) throw new Error('there are no comments');
      const page = (cursor?: string) =>
        listUserComments(own.ctx, bob, { user_id: ada.user_id, cursor, limit: 50 });
      const first = await page();
      expect(first.entries).toEqual([]);
      expect(names(first.cursor, last.id)).toBe(false);
      expect((await page(first.cursor)).entries.map(({ id }) => id)).toEqual([oldest.id]);
    });

    test('[LS15, CT13][CT13a] a cursor is read by every process, for its own list only, and looks different each time', async () => {
      await using process = await own.another();
      const [one, other] = [own.ctx.sealedCursors, process.sealedCursors];
      const id = idOf(1);
      const [cursor, again] = await Promise.all([one.write('a', id), other.write('a', id)]);
      expect(cursor).not.toBe(again);
      // The length says nothing either.
      expect((await one.write('a', '7' as Id)).length).toBe(cursor.length);
      expect(await Promise.all([one.read('a', again), other.read('a', cursor)])).toEqual([id, id]);
      expect(await one.read('a', undefined)).toBeUndefined();
      const changed = `${cursor.startsWith('A') ? 'B' : 'A'}${cursor.slice(1)}`;
      for (const [list, text] of [
        ['b', cursor],
        ['a', changed],
        ['a', cursor.slice(0, 20)],
        ['a', ''],
        ['a', 'none'],
      ] as const) {
        expect(await failureOf(one.read(list, text))).toBeInstanceOf(ValidationError);
      }
    });
  });
});
