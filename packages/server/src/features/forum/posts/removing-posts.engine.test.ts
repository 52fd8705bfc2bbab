import { storedId } from '../../../ports/database/stored-id.ts';
import { firstIdAt, type Channel, type Id, type OwnCommunity } from '@hearth/protocol';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { failureOf } from '@hearth/testing/failure-of';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { storeComment, storePost } from '@hearth/testing/stored-posts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { Account } from '../../../actor.ts';
import { RECENT_REMOVERS } from '../../../lists/recent-removers.ts';
import { createChannel } from '../../communities/channels/create-channel.ts';
import { removeComments } from '../comments/remove-comments.ts';
import { joinCommunity } from '../../communities/members/join-community.ts';
import { createPost } from './create-post.ts';
import { deletePost } from './delete-post.ts';
import { erasePosts } from './delete-posts-of.ts';
import { findPost } from './complete-posts.ts';

onEachDatabase((open) => {
  describe('removing posts', () => {
    let own: CommunityTest;
    let ada: Account;
    let bob: Account;
    let garden: OwnCommunity;
    let channel: Channel;

    beforeAll(async () => {
      own = await communityTest(open);
      ada = await own.person('ada');
      bob = await own.person('bob');
    });
    afterAll(() => own[Symbol.asyncDispose]());

    const make = async () => {
      const made = await own.garden(ada, { visibility: 'public' });
      await joinCommunity(own.ctx, bob, { community_id: made.id });
      return made;
    };
    const news = ({ id }: OwnCommunity) =>
      createChannel(own.ctx, ada, { community_id: id, kind: 'posts', name: 'news' });
    beforeEach(async () => {
      garden = await make();
      channel = await news(garden);
    });

    const find = (id: Id) => findPost(own.ctx, ada, { id });

    test('[PO7] jobs that a deletion adds are as new as the deletion', async () => {
      const { id } = await createPost(own.ctx, bob, { channel_id: channel.id, title: 'Sage' });
      own.clock.advance(60_000);
      const nowMs = own.clock.unixMs();
      await deletePost(own.ctx, bob, { id });
      const jobs = await own.database.reader.selectFrom('jobs').selectAll().execute();
      const added = jobs.filter(({ payload }) => payload.includes(id));
      expect(added.map((job) => Number(job.created_at_ms))).toEqual([nowMs]);
    });

    test('[PO7][PO7a] a job removes votes, saves and visits of a deleted post, some at a time', async () => {
      const { id } = await createPost(own.ctx, bob, { channel_id: channel.id, title: 'Basil' });
      const [postId, channelId] = [id, channel.id];
      const people = Array.from({ length: 1_001 }, (_, at) => storedId(String(at + 1)));
      await own.database.transaction(async ({ sql }) => {
        const keys = people.map((userId) => ({
          user_id: userId,
          post_id: postId,
          channel_id: channelId,
        }));
        const saves = keys.map((key) => ({ ...key, saved_at_ms: 1 }));
        const visits = keys.map((key) => ({ ...key, comment_number: 0, visited_at_ms: 1 }));
        const votes = people.map((userId) => ({
          subject_id: postId,
          user_id: userId,
          kind: 'post' as const,
          channel_id: channelId,
          community_id: garden.id,
          author_id: bob.user_id,
          value: 1,
          points: userId === '1' ? 1_000 : 0,
          cast_at_ms: 1,
        }));
        for (let from = 0; from < people.length; from += 500) {
          const to = from + 500;
          await sql.insertInto('post_saves').values(saves.slice(from, to)).execute();
          await sql.insertInto('post_visits').values(visits.slice(from, to)).execute();
          await sql.insertInto('votes').values(votes.slice(from, to)).execute();
        }
      });
      const left = async () => {
        const { reader } = own.database;
        const [saves, visits] = await Promise.all(
          (['post_saves', 'post_visits'] as const).map((table) =>
            reader.selectFrom(table).selectAll().where('post_id', '=', postId).execute(),
          ),
        );
        const votes = reader.selectFrom('votes').selectAll().where('subject_id', '=', postId);
        return [saves?.length, visits?.length, (await votes.execute()).length];
      };
      await deletePost(own.ctx, bob, { id });
      // So the transaction that deletes the post is short.
      expect(await left()).toEqual([1_001, 1_001, 1_001]);
      const jobs = own.database.reader.selectFrom('jobs').selectAll();
      const removals = await jobs.where('kind', '=', 'remove-comments').execute();
      const job = removals.find(({ payload }) => payload.includes(id));
      const kind = removeComments(own.ctx);
      const { signal } = new AbortController();
      await kind.run(kind.parse(JSON.parse(job?.payload ?? '')), { id: '1', number: 1, signal });
      // What gave points stays.
      expect(await left()).toEqual([0, 0, 1]);
    });

    test('[PO13] the posts of a deleted account stay with keep, and go with erase', async () => {
      const { id } = await createPost(own.ctx, bob, { channel_id: channel.id, title: 'Basil' });
      // Guarantee: erasing needs no more than this.
      const ctx = own.ctx as Parameters<typeof erasePosts>[0];
      const erasure = { userId: bob.user_id, signal: new AbortController().signal };
      await erasePosts(ctx, { ...erasure, content: 'keep' });
      expect((await find(id)).title).toBe('Basil');
      await erasePosts(ctx, { ...erasure, content: 'erase' });
      expect(await failureOf(find(id))).toMatchObject({ status: 404 });
    });

    test('[BA5] recent posts and comments of somebody who is banned are removed, and no others', async () => {
      const nowMs = own.clock.unixMs();
      const other = await make();
      // Ids of this clock have no times.
      const [old, elsewhere, recent, hers, comment] = [-120_000, 0, 1_000, 2_000, 3_000].map((ms) =>
        firstIdAt(nowMs + ms - 10_000),
      );
      if (!old || !elsewhere || !recent || !hers || !comment) throw new Error('ids are missing');
      const his = { communityId: garden.id, userId: bob.user_id, createdAtMs: nowMs };
      const here = { ...his, channelId: channel.id };
      const there = { ...his, communityId: other.id, channelId: (await news(other)).id };
      await storePost(own.database, { ...here, id: old });
      await storePost(own.database, { ...there, id: elsewhere });
      await storePost(own.database, { ...here, id: recent });
      await storePost(own.database, { ...here, id: hers, userId: ada.user_id });
      await storeComment(own.database, { ...here, id: comment }, { postId: hers });
      await own.emitted();
      const { signal } = new AbortController();
      const times = { sinceMs: nowMs - 60_000, untilMs: nowMs };
      const { ctx } = own;
      const whose = { communityId: garden.id, userId: bob.user_id };
      for (const remove of RECENT_REMOVERS) await remove(ctx, { ...whose, ...times, signal });
      const events = (await own.emitted()).flatMap(({ event }) => event ?? []);
      expect(events).toContainEqual({
        op: 'POST_DELETE',
        d: { channel_id: channel.id, id: recent },
      });
      expect(await failureOf(find(recent))).toMatchObject({ status: 404 });
      for (const id of [old, elsewhere, hers]) expect((await find(id)).id).toBe(id);
      const comments = own.database.reader.selectFrom('comments').select('id');
      const left = (await comments.execute()).map(({ id }) => BigInt(id));
      expect(left).not.toContain(BigInt(comment));
    });
  });
});
