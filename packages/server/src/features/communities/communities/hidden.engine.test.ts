import type { Id, OwnCommunity } from '@hearth/protocol';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { failureOf } from '@hearth/testing/failure-of';
import { trialDatabase, type TrialDatabase } from '@hearth/testing/ports/trial-database';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Account } from '../../../actor.ts';
import type { InstanceContext } from '../../../instance-context.ts';
import { ownerOutbox } from '../../../ports/outbox/outbox.ts';
import { changeChannel } from '../channels/change-channel.ts';
import { createChannel } from '../channels/create-channel.ts';
import { findChannel, listChannels } from '../channels/list-channels.ts';
import { orderChannels } from '../channels/order-channels.ts';
import { createComment } from '../../forum/comments/create-comment.ts';
import { findComment } from '../../forum/comments/find-comment.ts';
import { createCommunityInvite } from '../community-invites/create-community-invite.ts';
import { changeMember } from '../members/change-member.ts';
import { joinCommunity } from '../members/join-community.ts';
import { postMessage } from '../../talk/messages/post-message.ts';
import { createPost } from '../../forum/posts/create-post.ts';
import { crosspost } from '../../forum/posts/crosspost.ts';
import { findPost } from '../../forum/posts/complete-posts.ts';
import { createRole } from '../roles/create-role.ts';
import { votePost } from '../../forum/voting/cast-vote.ts';
import { findCommunity } from './find-community.ts';

interface Written {
  readonly channel: Id;
  readonly message: Id;
  readonly posts: Id;
  readonly post: Id;
  readonly comment: Id;
}

onEachDatabase((open) => {
  describe('what is hidden', () => {
    let own: CommunityTest;
    let trial: TrialDatabase;
    let ada: Account;
    let max: Account;
    let eve: Account;
    /** A public community, of which max manages roles and channels, and a private one without him. */
    let garden: OwnCommunity;
    let cellar: OwnCommunity;
    let category: Id;
    let secret: Written;
    let locked: Written;
    let seen: Written;

    beforeAll(async () => {
      own = await communityTest(open);
      trial = trialDatabase(own.database);
      [ada, max, eve] = [await own.person('ada'), await own.person('max'), await own.person('eve')];
      garden = await own.garden(ada, { visibility: 'public' });
      cellar = await own.garden(ada);
      const community_id = garden.id;
      await joinCommunity(own.ctx, max, { community_id });
      const role = { name: 'managers', hoisted: false, mentionable: false, self_assignable: false };
      const permissions = ['MANAGE_CHANNELS' as const, 'MANAGE_ROLES' as const];
      const { id } = await createRole(own.ctx, ada, { community_id, ...role, permissions });
      await changeMember(own.ctx, ada, { community_id, user_id: max.user_id, role_ids: [id] });
      category = await make('category', true);
      [secret, seen] = [await write(true), await write(false)];
      locked = await write(false, cellar.id);
    });
    afterAll(() => own[Symbol.asyncDispose]());

    async function make(
      kind: 'category' | 'messages' | 'posts',
      isHidden: boolean,
      community_id = garden.id,
    ): Promise<Id> {
      const hiding = { id: garden.id, kind: 'role' as const, allow: [], deny: ['VIEW' as const] };
      const overwrites = isHidden ? [hiding] : [];
      const made = { community_id, kind, name: 'herbs', overwrites };
      return (await createChannel(own.ctx, ada, made)).id;
    }

    async function write(isHidden: boolean, community = garden.id): Promise<Written> {
      const channel = await make('messages', isHidden, community);
      const posts = await make('posts', isHidden, community);
      const { id: message } = await postMessage(own.ctx, ada, {
        channel_id: channel,
        content: 'A',
      });
      const { id: post } = await createPost(own.ctx, ada, { channel_id: posts, title: 'B' });
      const { id: comment } = await createComment(own.ctx, ada, { post_id: post, content: 'C' });
      return { channel, message, posts, post, comment };
    }

    /** A process that remembers nothing but people. */
    function anotherProcess(): InstanceContext {
      const database = ownerOutbox(trial);
      return { ...own.ctx, ...own.stateOn(database), users: own.ctx.users, database };
    }

    /** Returns the error with which an act fails, and what the database was asked for it. */
    async function failing(act: () => Promise<unknown>) {
      trial.takeQueries();
      const failure = await failureOf(act());
      return { failure, queries: trial.takeQueries() };
    }

    /** Everything that names something, by its id. */
    const naming = (ctx: InstanceContext, by: Account) => ({
      category: (category_id: Id) =>
        createChannel(ctx, by, {
          community_id: garden.id,
          kind: 'messages',
          name: 'x',
          category_id,
        }),
      'category of a moved channel': async (category_id: Id) => {
        const channels = await listChannels(ctx, by, { community_id: garden.id });
        const order = channels.map(({ id, kind }) => ({
          id,
          ...(kind !== 'category' && { category_id }),
        }));
        return await orderChannels(ctx, by, { community_id: garden.id, order });
      },
      'channel of an invite': (channel_id: Id) =>
        createCommunityInvite(ctx, by, { community_id: garden.id, channel_id }),
      'channel with cards': (id: Id) =>
        changeChannel(ctx, by, { id: seen.posts, card_channel_ids: [id] }),
      'channel of a message': (channel_id: Id) =>
        createPost(ctx, by, {
          ...{ channel_id: seen.posts, title: 'x' },
          from_message: { channel_id, id: secret.message },
        }),
      channel: (id: Id) => findChannel(ctx, by, { id }),
      'channel to write in': (channel_id: Id) => postMessage(ctx, by, { channel_id, content: 'x' }),
      'channel to post in': (channel_id: Id) => createPost(ctx, by, { channel_id, title: 'x' }),
      'channel to repeat a post in': (channel_id: Id) =>
        crosspost(ctx, by, { id: seen.post, channel_id }),
    });
    const namingWritten = (ctx: InstanceContext, by: Account) => ({
      post: (id: Id) => findPost(ctx, by, { id }),
      'post to comment on': (post_id: Id) => createComment(ctx, by, { post_id, content: 'x' }),
      'post to vote for': (id: Id) => votePost(ctx, by, { id, value: 1 }),
      'post to repeat': (id: Id) => crosspost(ctx, by, { id, channel_id: seen.posts }),
    });
    const hiddenIds = (name: string, { channel, posts }: Written): Id => {
      if (name.startsWith('category')) return category;
      return name.includes('post') ? posts : channel;
    };

    test('[CO23][CO23a] whatever names something hidden is answered as for what does not exist, after the same statements', async () => {
      const ctx = anotherProcess();
      const absent = await own.ctx.ids.next();
      // The process remembers what everyone sees.
      for (const id of [seen.channel, seen.posts]) await findChannel(ctx, max, { id });
      await findPost(ctx, max, { id: seen.post });
      const acts = Object.entries(naming(ctx, max)).map(
        ([name, act]) => [name, act, hiddenIds(name, secret)] as const,
      );
      const written = Object.entries(namingWritten(ctx, max)).map(
        ([name, act]) => [name, act, secret.post] as const,
      );
      const comment = (id: Id) => findComment(ctx, max, { id, context: 0 });
      for (const [name, act, hidden] of [
        ...acts,
        ...written,
        ['comment', comment, secret.comment] as const,
      ]) {
        const found = await failing(() => act(hidden));
        expect(found.failure).toBeInstanceOf(Error);
        expect({ name, ...found }).toEqual({ name, ...(await failing(() => act(absent))) });
      }
    });

    test('[CO23][CO23a] a private community takes the same from people who are not members, also of a process that remembers nothing', async () => {
      const absent = await own.ctx.ids.next();
      const { channel, post, comment } = locked;
      const reads = (ctx: InstanceContext, by: Account) => [
        [cellar.id, (id: Id) => findCommunity(ctx, by, { id })] as const,
        [channel, naming(ctx, by).channel] as const,
        [channel, naming(ctx, by)['channel to write in']] as const,
        [post, namingWritten(ctx, by).post] as const,
        [post, namingWritten(ctx, by)['post to vote for']] as const,
        [comment, (id: Id) => findComment(ctx, by, { id, context: 0 })] as const,
      ];
      for (const count of reads(own.ctx, eve).keys()) {
        const [one, other] = [anotherProcess(), anotherProcess()].map(
          (ctx) => reads(ctx, eve)[count],
        );
        if (one === undefined || other === undefined) throw new Error('nothing is read');
        const found = await failing(() => one[1](one[0]));
        expect(found.failure).toHaveProperty('status', 404);
        expect(found).toEqual(await failing(() => other[1](absent)));
        expect(found.queries.length).toBeLessThanOrEqual(2);
      }
    });
  });
});
