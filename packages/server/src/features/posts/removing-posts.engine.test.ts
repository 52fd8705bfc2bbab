import { firstIdAt, type Channel, type Id, type OwnCommunity } from '@hearth/protocol';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { failureOf } from '@hearth/testing/failure-of';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { storeComment, storePost } from '@hearth/testing/stored-posts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { User } from '../../actor.ts';
import { RECENT_REMOVERS } from '../../recent-removers.ts';
import type { RemoveRecent } from '../bans/remove-recent.ts';
import { createChannel } from '../channels/create-channel.ts';
import { joinCommunity } from '../members/join-community.ts';
import { findPost } from './find-post.ts';

onEachDatabase((open) => {
  describe('removing posts', () => {
    let own: CommunityTest;
    let ada: User;
    let bob: User;
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
      // Guarantee: removing needs no more than this.
      const ctx = own.ctx as Parameters<RemoveRecent>[0];
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
