import type { Channel, Id, OwnCommunity, Post } from '@hearth/protocol';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { until } from '@hearth/testing/until';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { OWNER, type Account } from '../../../actor.ts';
import { openOutbound } from '../../../lib/outbound/outbound.ts';
import { PREVIEW_ANNOUNCERS } from '../../../lists/preview-announcers.ts';
import { createChannel } from '../../communities/channels/create-channel.ts';
import { setOverwrite } from '../../communities/channels/set-overwrite.ts';
import { JobRunner } from '../../platform/jobs/job-runner.ts';
import { listJobs } from '../../platform/jobs/manage-jobs.ts';
import { makePreview } from '../../files/link-previews/make-preview.ts';
import { joinCommunity } from '../../communities/members/join-community.ts';
import { changePost } from './change-post.ts';
import { createPost } from './create-post.ts';
import { deletePost } from './delete-post.ts';
import { findPost } from './complete-posts.ts';

onEachDatabase((open) => {
  describe('previews of posts', () => {
    let own: CommunityTest;
    let server: Bun.Server<undefined>;
    let ada: Account;
    let bob: Account;
    let garden: OwnCommunity;
    let channel: Channel;

    beforeAll(async () => {
      own = await communityTest(open);
      server = Bun.serve({
        port: 0,
        hostname: '127.0.0.1',
        fetch: ({ url }) =>
          new Response(`<title>Page ${new URL(url).pathname}</title>`, {
            headers: { 'Content-Type': 'text/html' },
          }),
      });
    });
    afterAll(async () => {
      await server.stop(true);
      await own[Symbol.asyncDispose]();
    });

    beforeEach(async () => {
      const name = crypto.randomUUID().slice(0, 8);
      ada = await own.person(`ada-${name}`);
      bob = await own.person(`bob-${name}`);
      garden = await own.garden(ada, { visibility: 'public' });
      await joinCommunity(own.ctx, bob, { community_id: garden.id });
      channel = await createChannel(own.ctx, ada, {
        community_id: garden.id,
        kind: 'posts',
        name: 'links',
      });
    });

    const at = (path: string) => `http://good.test:${server.port}${path}`;
    const post = (by: Account, path: string) =>
      createPost(own.ctx, by, { channel_id: channel.id, title: 'Look', url: at(path) });
    const find = (id: Id) => findPost(own.ctx, OWNER, { id });

    /** Makes all previews. Returns what was sent of posts meanwhile. */
    async function work() {
      await own.emitted();
      const outbound = openOutbound({ resolve: async () => ['127.0.0.1'], mayReach: () => true });
      const kinds = [makePreview(own.ctx, { outbound, announcers: PREVIEW_ANNOUNCERS })];
      await using _runner = new JobRunner({ ...own.ctx, kinds });
      await until(async () =>
        (await listJobs(own.ctx, OWNER, { isFailed: false })).every(
          ({ kind }) => kind !== 'link-preview',
        ),
      );
      return (await own.emitted()).flatMap(({ event }) =>
        // Guarantee: updates of posts have posts.
        event?.op === 'POST_UPDATE' ? [event.d as Post] : [],
      );
    }

    test('[LP8, LP9] a post with an address is sent again with its preview', async () => {
      const made = await post(bob, '/new');
      expect(made.embeds).toBeUndefined();
      const embeds = [{ url: at('/new'), title: 'Page /new' }];
      expect(await work()).toMatchObject([{ id: made.id, title: 'Look', embeds, version: 2 }]);
      expect(await find(made.id)).toMatchObject({ embeds, version: 2 });
      const next = await post(ada, '/new');
      expect(next.embeds).toEqual(embeds);
      expect(await work()).toMatchObject([{ id: next.id, embeds, version: 2 }]);
    });

    test('[LP9] a post keeps its preview when its text changes, and gets another one with another address', async () => {
      const { id } = await post(bob, '/one');
      await work();
      await own.emitted();
      await changePost(own.ctx, bob, { id, title: 'Look again' });
      const [changed] = await own.emitted();
      expect(changed?.event?.d).toMatchObject({ embeds: [{ title: 'Page /one' }] });
      const moved = await changePost(own.ctx, bob, { id, url: at('/two') });
      expect(moved.embeds).toBeUndefined();
      expect(await work()).toMatchObject([{ id, embeds: [{ title: 'Page /two' }] }]);
      const cleared = await changePost(own.ctx, bob, { id, url: null });
      expect(cleared.embeds).toBeUndefined();
    });

    test('[PO14][PO14a] a change comes with the preview that is ready at the same time, and without one of a former address', async () => {
      const { id } = await post(bob, '/soon');
      /** Returns what a change of Ada sends, before which something else happens that it has not read. */
      const besides = async (spoiler: boolean, meanwhile: () => Promise<unknown>) => {
        const others = [meanwhile];
        const transaction: typeof own.ctx.database.transaction = async (change) => {
          await others.pop()?.();
          await own.emitted();
          return await own.ctx.database.transaction(change);
        };
        const ctx = { ...own.ctx, database: { ...own.ctx.database, transaction } };
        await changePost(ctx, ada, { id, spoiler });
        return (await own.emitted()).map(({ event }) => event);
      };
      const embeds = [{ title: 'Page /soon' }];
      expect(await besides(true, work)).toMatchObject([{ op: 'POST_UPDATE', d: { id, embeds } }]);
      const move = () => changePost(own.ctx, bob, { id, url: at('/later') });
      const [moved, ...rest] = await besides(false, move);
      expect(moved?.d).toMatchObject({ id, url: at('/later') });
      expect(moved?.d).not.toHaveProperty('embeds');
      expect(rest).toEqual([]);
    });

    test('[LP9] a post of somebody without EMBED_LINKS has no preview, even if a post of somebody else has it', async () => {
      await setOverwrite(own.ctx, ada, {
        id: channel.id,
        subject_id: garden.id,
        kind: 'role',
        allow: [],
        deny: ['EMBED_LINKS'],
      });
      const mine = await post(ada, '/rights');
      const other = await post(bob, '/rights');
      await work();
      expect((await find(mine.id)).embeds).toHaveLength(1);
      expect((await find(other.id)).embeds).toBeUndefined();
    });

    test('[LP8] a post that is deleted before its preview is ready is sent to nobody', async () => {
      const { id } = await post(bob, '/gone');
      await deletePost(own.ctx, bob, { id });
      expect(await work()).toEqual([]);
      expect(
        await own.database.reader
          .selectFrom('link_preview_uses')
          .selectAll()
          .where('channel_id', '=', channel.id)
          .execute(),
      ).toEqual([]);
    });
  });
});
