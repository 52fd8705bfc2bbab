import { ConflictError, type Channel, type Id } from '@hearth/protocol';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { failureOf } from '@hearth/testing/failure-of';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { Account } from '../../../actor.ts';
import { createChannel } from '../../communities/channels/create-channel.ts';
import { setOverwrite } from '../../communities/channels/set-overwrite.ts';
import { joinCommunity } from '../../communities/members/join-community.ts';
import { createPost } from './create-post.ts';
import { listSaved, MOST_SAVED, MOST_VISITS, readPost, savePost } from './save-post.ts';

onEachDatabase((open) => {
  describe('saved posts', () => {
    let own: CommunityTest;
    let ada: Account;
    let bob: Account;
    let garden: Id;
    let channel: Channel;

    beforeAll(async () => {
      own = await communityTest(open);
      ada = await own.person('ada');
      bob = await own.person('bob');
    });
    afterAll(() => own[Symbol.asyncDispose]());
    beforeEach(async () => {
      garden = (await own.garden(ada, { visibility: 'public' })).id;
      await joinCommunity(own.ctx, bob, { community_id: garden });
      channel = await make('news');
      await own.database.transaction(async ({ sql }) => {
        for (const table of ['post_saves', 'post_visits'] as const) {
          await sql.deleteFrom(table).execute();
        }
      });
    });

    const make = (name: string) =>
      createChannel(own.ctx, ada, { community_id: garden, kind: 'posts', name });
    const post = async (title: string, channelId = channel.id) =>
      (await createPost(own.ctx, ada, { channel_id: channelId, title })).id;
    /** Rows of Bob for posts that there may be no longer. */
    const keys = (count: number) =>
      Array.from({ length: count }, (_, at) => ({
        user_id: bob.user_id,
        post_id: String(at + 1) as Id,
        channel_id: channel.id,
      }));

    test('[PO8] nobody saves more than 1,000 posts, even at the same time', async () => {
      const rows = keys(MOST_SAVED - 1).map((key) => ({ ...key, saved_at_ms: 1 }));
      await own.database.transaction(({ sql }) =>
        sql.insertInto('post_saves').values(rows).execute(),
      );
      const ids = [await post('One'), await post('Two'), await post('Three'), await post('Four')];
      const all = await Promise.allSettled(ids.map((id) => savePost(own.ctx, bob, { id })));
      const refused = all.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
      expect(refused).toHaveLength(3);
      for (const error of refused) {
        expect(error).toBeInstanceOf(ConflictError);
        expect(error).toMatchObject({ data: { code: 'too_many', field_name: 'saved' } });
      }
      const saved = await own.database.reader.selectFrom('post_saves').selectAll().execute();
      expect(saved).toHaveLength(MOST_SAVED);
      await savePost(own.ctx, ada, { id: ids[0] ?? garden });
    });

    test('[PO9] the newest 1,000 visits are kept, even if some come at the same time', async () => {
      const visit = { comment_number: 1, visited_at_ms: 1 };
      const rows = keys(MOST_VISITS).map((key) => ({ ...key, ...visit }));
      await own.database.transaction(({ sql }) =>
        sql.insertInto('post_visits').values(rows).execute(),
      );
      const ids = [await post('One'), await post('Two'), await post('Three')];
      await Promise.all(ids.map((id) => readPost(own.ctx, bob, { id })));
      const visits = await own.database.reader.selectFrom('post_visits').selectAll().execute();
      expect(visits).toHaveLength(MOST_VISITS);
      const kept = visits.map((row) => row.post_id);
      expect(kept).toContain(String(MOST_VISITS) as Id);
      expect(kept).not.toContain('1' as Id);
      for (const id of ids) expect(kept).toContain(id);
    });

    test('[PO8] a short page is the last one, however many saved posts are hidden', async () => {
      const secret = await make('secret');
      const shown = await post('Shown');
      const hidden = [];
      for (let at = 0; at < 12; at += 1) hidden.push(await post(`Hidden ${at}`, secret.id));
      for (const id of [shown, ...hidden]) await savePost(own.ctx, bob, { id });
      await setOverwrite(own.ctx, ada, {
        id: secret.id,
        subject_id: garden,
        kind: 'role',
        allow: [],
        deny: ['VIEW'],
      });
      const page = await listSaved(own.ctx, bob, { limit: 1 });
      expect(page.entries.map(({ title }) => title)).toEqual(['Shown']);
      expect(page.cursor).toBeUndefined();
      const after = await listSaved(own.ctx, bob, { before: shown, limit: 1 });
      expect(after).toEqual({ entries: [], cursor: undefined });
    });

    test('[PO8][PO8a] the cursor of a page leads to the next one, and any other is refused', async () => {
      for (const title of ['One', 'Two', 'Three']) {
        await savePost(own.ctx, bob, { id: await post(title) });
      }
      const first = await listSaved(own.ctx, bob, { limit: 2 });
      expect(first.entries.map(({ title }) => title)).toEqual(['Three', 'Two']);
      const { cursor } = first;
      expect(cursor).toBeString();
      const second = await listSaved(own.ctx, bob, { cursor, limit: 2 });
      expect(second.entries.map(({ title }) => title)).toEqual(['One']);
      expect(second.cursor).toBeUndefined();
      for (const [actor, given] of [
        [bob, 'garbage'],
        [ada, cursor],
      ] as const) {
        const refused = await failureOf(listSaved(own.ctx, actor, { cursor: given, limit: 2 }));
        expect(refused).toMatchObject({ data: { field_name: 'cursor' } });
      }
    });
  });
});
