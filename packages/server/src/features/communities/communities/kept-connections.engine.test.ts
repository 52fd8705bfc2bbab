import type { Id } from '@hearth/protocol';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import type { SessionAccount } from '../../../actor.ts';
import type { InstanceContext } from '../../../instance-context.ts';
import { withQueues } from '../../../ports/outbox/outbox.ts';
import { liftBan, setBan } from '../bans/set-ban.ts';
import { changeChannel } from '../channels/change-channel.ts';
import { createChannel } from '../channels/create-channel.ts';
import { createComment } from '../../forum/comments/create-comment.ts';
import { deleteComment } from '../../forum/comments/delete-comment.ts';
import { changeMember } from '../members/change-member.ts';
import { joinCommunity } from '../members/join-community.ts';
import { removeMember } from '../members/leave-community.ts';
import { deleteChannelMessage } from '../../talk/messages/delete-message.ts';
import { deleteManyMessages } from '../../talk/messages/delete-messages.ts';
import { pinMessage } from '../../talk/messages/pins.ts';
import { postMessage } from '../../talk/messages/post-message.ts';
import { changePost } from '../../forum/posts/change-post.ts';
import { createPost } from '../../forum/posts/create-post.ts';
import { deletePost } from '../../forum/posts/delete-post.ts';
import { createRole } from '../roles/create-role.ts';
import { endOtherSessions, endSession } from '../../accounts/sessions/end-sessions.ts';

onEachDatabase((open) => {
  let own: CommunityTest;
  /** The owner of the community, and a member. */
  let ada: SessionAccount;
  let bob: SessionAccount;
  /** The things on which they act, the last three of which Bob has written. */
  let things: Readonly<Record<'garden' | 'talk' | 'board' | 'message' | 'post' | 'comment', Id>>;

  beforeAll(async () => {
    own = await communityTest(open);
    ada = await own.person('ada');
    bob = await own.person('bob');
  });
  afterAll(() => own[Symbol.asyncDispose]());

  beforeEach(async () => {
    const { ctx } = own;
    const { id: garden } = await own.garden(ada, { visibility: 'public', join: 'open' });
    await joinCommunity(ctx, bob, { community_id: garden });
    const make = async (kind: 'messages' | 'posts') =>
      (await createChannel(ctx, ada, { community_id: garden, kind, name: kind })).id;
    const [talk, board] = [await make('messages'), await make('posts')];
    const { id: message } = await postMessage(ctx, bob, { channel_id: talk, content: 'Hello' });
    const { id: post } = await createPost(ctx, bob, { channel_id: board, title: 'Herbs' });
    const { id: comment } = await createComment(ctx, bob, { post_id: post, content: 'Basil' });
    things = { garden, talk, board, message, post, comment };
  });

  type Act = (ctx: InstanceContext, given: typeof things) => Promise<unknown>;

  /** The connections that the transactions of an act ask for. */
  async function connectionsOf(act: Act): Promise<ReadonlySet<string>> {
    const asked = new Set<string>();
    const { database } = own.ctx;
    const transaction: typeof database.transaction = (work, options) => {
      asked.add(options?.connection ?? 'ordinary');
      return database.transaction(work, options);
    };
    await act({ ...own.ctx, database: withQueues({ ...database, transaction }) }, things);
    return asked;
  }

  const HOUR_MS = 3_600_000;
  const ofBob = ({ garden }: typeof things) => ({ community_id: garden, user_id: bob.user_id });

  const kept: readonly (readonly [string, Act])[] = [
    ['remove a member', (ctx, given) => removeMember(ctx, ada, ofBob(given))],
    ['ban', (ctx, given) => setBan(ctx, ada, ofBob(given))],
    [
      'lift a ban',
      async (ctx, given) => {
        await setBan(own.ctx, ada, ofBob(given));
        await liftBan(ctx, ada, ofBob(given));
      },
    ],
    [
      'time out',
      (ctx, given) =>
        changeMember(ctx, ada, {
          ...ofBob(given),
          timed_out_until: own.clock.unixMs() + HOUR_MS,
        }),
    ],
    [
      'set slow mode',
      (ctx, { talk }) => changeChannel(ctx, ada, { id: talk, slow_mode_seconds: 60 }),
    ],
    [
      'make a role',
      (ctx, { garden }) =>
        createRole(ctx, ada, {
          ...{ community_id: garden, name: 'gardeners', permissions: [] },
          ...{ hoisted: false, mentionable: false, self_assignable: false },
        }),
    ],
    [
      'delete a message of somebody else',
      (ctx, { talk, message }) => deleteChannelMessage(ctx, ada, { channel_id: talk, id: message }),
    ],
    [
      'delete messages',
      (ctx, { talk, message }) =>
        deleteManyMessages(ctx, ada, { channel_id: talk, ids: [message] }),
    ],
    [
      'pin a message',
      (ctx, { talk, message }) => pinMessage(ctx, ada, { channel_id: talk, id: message }),
    ],
    ['lock a post', (ctx, { post }) => changePost(ctx, ada, { id: post, locked: true })],
    ['delete a post of somebody else', (ctx, { post }) => deletePost(ctx, ada, { id: post })],
    [
      'delete a comment of somebody else',
      (ctx, { comment }) => deleteComment(ctx, ada, { id: comment }),
    ],
    ['end other sessions', (ctx) => endOtherSessions(ctx, bob)],
    [
      'end a session',
      async (ctx) => {
        const eve = await own.person(`eve-${things.garden}`);
        await endSession(ctx, eve, { id: eve.credential.id });
      },
    ],
  ];

  test.each(kept)('[SC29] connections are kept for those who %s', async (_what, act) => {
    expect(await connectionsOf(act)).toContain('kept');
  });

  const ordinary: readonly (readonly [string, Act])[] = [
    ['post', (ctx, { talk }) => postMessage(ctx, bob, { channel_id: talk, content: 'Hello' })],
    [
      'take a nickname',
      (ctx, given) => changeMember(ctx, bob, { ...ofBob(given), nickname: 'Bobby' }),
    ],
    [
      'delete a message of their own',
      (ctx, { talk, message }) => deleteChannelMessage(ctx, bob, { channel_id: talk, id: message }),
    ],
    [
      'change a post of their own',
      (ctx, { post }) => changePost(ctx, bob, { id: post, title: 'Mint' }),
    ],
    ['delete a post of their own', (ctx, { post }) => deletePost(ctx, bob, { id: post })],
    [
      'delete a comment of their own',
      (ctx, { comment }) => deleteComment(ctx, bob, { id: comment }),
    ],
  ];

  test.each(ordinary)('[SC29] no connections are kept for those who %s', async (_what, act) => {
    expect(await connectionsOf(act)).not.toContain('kept');
  });
});
