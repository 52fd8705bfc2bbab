import { ForbiddenError, NotFoundError, type Id, type OwnCommunity } from '@hearth/protocol';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { failureOf } from '@hearth/testing/failure-of';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Account } from '../../../actor.ts';
import type { InstanceContext } from '../../../instance-context.ts';
import { withQueues, type EmittingDatabase } from '../../../ports/outbox/outbox.ts';
import { setBan } from '../bans/set-ban.ts';
import { joinCommunity } from '../members/join-community.ts';
import { addChannelReaction, removeChannelReaction } from '../../talk/messages/react.ts';
import { deleteChannelMessage } from '../../talk/messages/delete-message.ts';
import { postMessage } from '../../talk/messages/post-message.ts';
import {
  setChannelNotifications,
  setCommunityNotifications,
} from '../../talk/notification-settings/set-notifications.ts';
import { createPost } from '../../forum/posts/create-post.ts';
import { readPost, savePost } from '../../forum/posts/save-post.ts';
import { markChannel } from '../../talk/read-states/mark-channel.ts';
import { markCommunity } from '../../talk/read-states/mark-community.ts';
import { createChannel } from '../channels/create-channel.ts';
import { changeCommunity } from './change-community.ts';

onEachDatabase((open) => {
  describe('a ban between what was checked and the transaction', () => {
    let own: CommunityTest;
    let ada: Account;
    beforeAll(async () => {
      own = await communityTest(open);
      ada = await own.person('ada');
    });
    afterAll(() => own[Symbol.asyncDispose]());

    /** The context of verbs whose first transaction begins after `first`. */
    const overtakenBy = (first: () => Promise<unknown>): InstanceContext => {
      let isFirst = true;
      const transaction: EmittingDatabase['transaction'] = async (work) => {
        if (isFirst) {
          isFirst = false;
          await first();
        }
        return await own.ctx.database.transaction(work);
      };
      return { ...own.ctx, database: withQueues({ ...own.ctx.database, transaction }) };
    };
    const hide = ({ id }: OwnCommunity) =>
      changeCommunity(own.ctx, ada, { id, visibility: 'private', join: 'invite' });
    const firstOf = ({ channels: [channel] }: OwnCommunity) => {
      if (channel === undefined) throw new Error('there is no channel');
      return channel.id;
    };

    interface Stage {
      readonly garden: Id;
      readonly channel: Id;
      readonly message: Id;
      readonly unread: Id;
      readonly post: Id;
    }
    const verbs: readonly (readonly [
      name: string,
      verb: (ctx: InstanceContext, bob: Account, at: Stage) => Promise<unknown>,
    ])[] = [
      ['savePost', (ctx, bob, { post: id }) => savePost(ctx, bob, { id })],
      ['readPost', (ctx, bob, { post: id }) => readPost(ctx, bob, { id })],
      [
        'markChannel',
        (ctx, bob, { channel, unread }) =>
          markChannel(ctx, bob, { channel_id: channel, last_read_id: unread }),
      ],
      [
        'markCommunity',
        (ctx, bob, { garden }) => markCommunity(ctx, bob, { community_id: garden }),
      ],
      [
        'setCommunityNotifications',
        (ctx, bob, { garden }) =>
          setCommunityNotifications(ctx, bob, { community_id: garden, level: 'none' }),
      ],
      [
        'setChannelNotifications',
        (ctx, bob, { channel }) =>
          setChannelNotifications(ctx, bob, { channel_id: channel, level: 'none' }),
      ],
      [
        'removeChannelReaction',
        (ctx, bob, { channel, message }) =>
          removeChannelReaction(ctx, bob, { channel_id: channel, id: message, emoji: '👍' }),
      ],
      [
        'deleteChannelMessage',
        (ctx, bob, { channel, message }) =>
          deleteChannelMessage(ctx, bob, { channel_id: channel, id: message }),
      ],
    ];

    test.each(verbs)('[SC28] %s decides on it again', async (name, verb) => {
      const garden = await own.garden(ada, { visibility: 'public' });
      const bob = await own.person(`bob-${name.toLowerCase()}`);
      await joinCommunity(own.ctx, bob, { community_id: garden.id });
      const channel = firstOf(garden);
      const posts = await createChannel(own.ctx, ada, {
        community_id: garden.id,
        kind: 'posts',
        name: 'posts',
      });
      const { id: post } = await createPost(own.ctx, ada, { channel_id: posts.id, title: 'Basil' });
      await postMessage(own.ctx, ada, { channel_id: channel, content: 'Hello' });
      const { id: message } = await postMessage(own.ctx, bob, {
        channel_id: channel,
        content: 'Hello',
      });
      const reacted = { channel_id: channel, id: message, emoji: '👍' };
      await addChannelReaction(own.ctx, bob, reacted);
      const { id: unread } = await postMessage(own.ctx, ada, {
        channel_id: channel,
        content: 'Unread',
      });
      await hide(garden);
      const ban = () => setBan(own.ctx, ada, { community_id: garden.id, user_id: bob.user_id });
      const at = { garden: garden.id, channel, message, unread, post };
      const failure = await failureOf(verb(overtakenBy(ban), bob, at));
      expect([ForbiddenError, NotFoundError]).toContain(
        // Guarantee: errors are made by their classes.
        failure?.constructor as typeof ForbiddenError,
      );
    });

    test('[SC28] the decision is made again for somebody who is no member', async () => {
      const garden = await own.garden(ada, { visibility: 'public' });
      const eve = await own.person('eve');
      const posts = await createChannel(own.ctx, ada, {
        community_id: garden.id,
        kind: 'posts',
        name: 'posts',
      });
      const { id } = await createPost(own.ctx, ada, { channel_id: posts.id, title: 'Basil' });
      const failure = await failureOf(
        savePost(
          overtakenBy(() => hide(garden)),
          eve,
          { id },
        ),
      );
      expect(failure).toBeInstanceOf(NotFoundError);
    });
  });
});
