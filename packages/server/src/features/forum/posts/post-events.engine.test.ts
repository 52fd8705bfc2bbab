import type { Channel, Id, OwnCommunity, Post } from '@hearth/protocol';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { Account } from '../../../actor.ts';
import { createChannel } from '../../communities/channels/create-channel.ts';
import { joinCommunity } from '../../communities/members/join-community.ts';
import { voteInPoll } from '../voting/vote-in-poll.ts';
import { changePost } from './change-post.ts';
import { createPost } from './create-post.ts';
import { findPost } from './complete-posts.ts';

onEachDatabase((open) => {
  describe('events about posts', () => {
    let own: CommunityTest;
    let ada: Account;
    let bob: Account;
    let eve: Account;
    let garden: OwnCommunity;
    let channel: Channel;

    beforeAll(async () => {
      own = await communityTest(open);
      ada = await own.person('ada');
      bob = await own.person('bob');
      eve = await own.person('eve');
    });
    afterAll(() => own[Symbol.asyncDispose]());

    beforeEach(async () => {
      garden = await own.garden(ada, { visibility: 'public' });
      await joinCommunity(own.ctx, bob, { community_id: garden.id });
      channel = await createChannel(own.ctx, ada, {
        community_id: garden.id,
        kind: 'posts',
        name: 'news',
      });
    });

    const sent = async () =>
      (await own.emitted()).flatMap(({ event }) =>
        // Guarantee: these events have posts.
        event?.op === 'POST_CREATE' || event?.op === 'POST_UPDATE' ? [event.d as Post] : [],
      );
    const seenBy = (actor: Account, id: Id) => findPost(own.ctx, actor, { id });

    test('[PO5] a change that changes nothing takes no number of an event of the channel', async () => {
      const { id } = await createPost(own.ctx, ada, { channel_id: channel.id, title: 'Sage' });
      await own.emitted();
      const number = async () => {
        const rows = own.database.reader.selectFrom('turns').select('number');
        return Number((await rows.where('id', '=', channel.id).executeTakeFirstOrThrow()).number);
      };
      const before = await number();
      expect((await changePost(own.ctx, ada, { id, title: 'Sage' })).version).toBe(1);
      expect(await number()).toBe(before);
      // Each number that is taken at the same time has its event.
      const both = [1, 2].map(() => changePost(own.ctx, ada, { id, title: 'Mint' }));
      for (const { version } of await Promise.all(both)) expect(version).toBe(2);
      expect(await number()).toBe(before + (await sent()).length);
    });

    test('[PO14] an event has the post with its poll and its links, as somebody sees it who has done nothing', async () => {
      const [first, second] = [{ title: 'Sage' }, { title: 'Basil' }];
      const place = { channel_id: channel.id };
      const named = await createPost(own.ctx, ada, { ...place, ...first });
      await own.emitted();
      const created = await createPost(own.ctx, bob, {
        ...place,
        ...second,
        content: `Like /c/${garden.slug}/p/${named.id}`,
        poll: { options: ['Yes', 'No'], ends_at: own.clock.unixMs() + 3_600_000 },
      });
      const links = { mention_posts: [{ id: named.id, title: 'Sage' }] };
      expect(await sent()).toEqual([await seenBy(eve, created.id)]);
      const options = created.poll?.options ?? [];
      const [yes] = options.map(({ id: option }) => option);
      await voteInPoll(own.ctx, bob, { id: created.id, option_ids: yes ? [yes] : [] });
      await own.emitted();
      const changed = await changePost(own.ctx, bob, { id: created.id, title: 'Mint' });
      expect(changed.poll).toMatchObject({ my_votes: [yes] });
      const [event, ...rest] = await sent();
      expect(rest).toEqual([]);
      expect(event).toEqual(await seenBy(eve, created.id));
      expect(event).toMatchObject({ title: 'Mint', ...links });
      expect(event?.poll?.options).toEqual(options);
    });
  });
});
