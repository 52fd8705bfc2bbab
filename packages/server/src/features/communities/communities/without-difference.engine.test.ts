import { NotFoundError, type OwnCommunity } from '@hearth/protocol';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { failureOf } from '@hearth/testing/failure-of';
import { reasonOf } from '@hearth/testing/reason-of';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { SessionAccount } from '../../../actor.ts';
import { setBan } from '../bans/set-ban.ts';
import { changeChannel } from '../channels/change-channel.ts';
import { createChannel } from '../channels/create-channel.ts';
import { orderChannels } from '../channels/order-channels.ts';
import { setOverwrite } from '../channels/set-overwrite.ts';
import { changeComment } from '../../forum/comments/change-comment.ts';
import { createComment } from '../../forum/comments/create-comment.ts';
import { changeMember } from '../members/change-member.ts';
import { joinCommunity } from '../members/join-community.ts';
import { changeChannelMessage } from '../../talk/messages/change-message.ts';
import { pinMessage } from '../../talk/messages/pins.ts';
import { postMessage } from '../../talk/messages/post-message.ts';
import { addChannelReaction } from '../../talk/messages/react.ts';
import {
  setChannelNotifications,
  setCommunityNotifications,
} from '../../talk/notification-settings/set-notifications.ts';
import { voteInPoll } from '../../forum/voting/vote-in-poll.ts';
import { acceptAnswer } from '../../forum/comments/accept-answer.ts';
import { changePost } from '../../forum/posts/change-post.ts';
import { createPost } from '../../forum/posts/create-post.ts';
import { savePost } from '../../forum/posts/save-post.ts';
import { markChannel } from '../../talk/read-states/mark-channel.ts';
import { changeRole } from '../roles/change-role.ts';
import { createRole } from '../roles/create-role.ts';
import { orderRoles } from '../roles/order-roles.ts';
import { updateMe } from '../../accounts/own-account/update-me.ts';
import { voteComment, votePost } from '../../forum/voting/cast-vote.ts';
import { changeCommunity } from './change-community.ts';

/** The tables to which the acts would write. */
const TABLES = [
  'communities',
  'roles',
  'channels',
  'channel_overwrites',
  'members',
  'member_roles',
  'community_bans',
  'audit_entries',
  'channel_messages',
  'message_reactions',
  'posts',
  'comments',
  'votes',
  'polls',
  'poll_votes',
  'read_states',
  'notification_settings',
  'users',
  'outbox',
] as const;

onEachDatabase((open) => {
  describe('an act without a difference', () => {
    let own: CommunityTest;
    let ada: SessionAccount;
    let bob: SessionAccount;
    let eve: SessionAccount;
    let garden: OwnCommunity;
    let acts: Readonly<
      Record<string, readonly [unknown, (actor: SessionAccount) => Promise<unknown>]>
    >;

    beforeAll(async () => {
      own = await communityTest(open);
      ada = await own.person('ada');
      bob = await own.person('bob');
      eve = await own.person('eve');
      acts = await makeActs();
    });
    afterAll(() => own[Symbol.asyncDispose]());

    /** Every act that changes something, done once by its owner, by what refuses it to others. */
    async function makeActs(): Promise<typeof acts> {
      const { ctx } = own;
      garden = await own.garden(ada, { visibility: 'public', description: 'Herbs' });
      const community_id = garden.id;
      await joinCommunity(ctx, bob, { community_id });
      const made = { hoisted: true, mentionable: false, self_assignable: false };
      const fields = { name: 'gardeners', colour: '#00ff00', ...made };
      const role = await createRole(ctx, ada, { community_id, ...fields, permissions: ['PIN'] });
      const inPlace = { community_id, topic: 'Tea', slow_mode_seconds: 5 };
      const talk = await createChannel(ctx, ada, { ...inPlace, kind: 'messages', name: 'talk' });
      const questions = { kind: 'posts', name: 'news', questions: true } as const;
      const tags = [{ name: 'sage' }];
      const news = await createChannel(ctx, ada, { community_id, ...questions, tags });
      const shelf = await createChannel(ctx, ada, {
        community_id,
        kind: 'category',
        name: 'shelf',
      });
      const order = [...garden.channels, talk, news, shelf].map(({ id }) => ({ id }));
      const message = await postMessage(ctx, ada, { channel_id: talk.id, content: 'Hello' });
      const poll = { options: ['Sage', 'Basil'], ends_at: own.clock.unixMs() + 3_600_000 };
      const post = await createPost(ctx, ada, { channel_id: news.id, title: 'Herbs', poll });
      const answer = await createComment(ctx, ada, { post_id: post.id, content: 'Sun.' });
      const option_ids = post.poll?.options.slice(0, 1).map(({ id }) => id) ?? [];
      const overwrite = { kind: 'role', allow: ['PIN'], deny: ['REACT'] } as const;
      const place = { channel_id: talk.id, id: message.id };
      const target = { community_id, user_id: bob.user_id };
      const given: typeof acts = {
        community: [
          'MANAGE_COMMUNITY',
          (by) =>
            changeCommunity(ctx, by, {
              id: community_id,
              name: 'Herbs',
              tags: ['tea'],
              icon: null,
            }),
        ],
        'community, nothing': [
          'MANAGE_COMMUNITY',
          (by) => changeCommunity(ctx, by, { id: community_id }),
        ],
        role: [
          'MANAGE_ROLES',
          (by) =>
            changeRole(ctx, by, {
              community_id,
              role_id: role.id,
              name: 'gardeners',
              permissions: ['PIN'],
            }),
        ],
        'role, nothing': [
          'MANAGE_ROLES',
          (by) => changeRole(ctx, by, { community_id, role_id: role.id }),
        ],
        'roles, order': [
          'MANAGE_ROLES',
          (by) => orderRoles(ctx, by, { community_id, ids: [role.id] }),
        ],
        channel: [
          'MANAGE_CHANNELS',
          (by) =>
            changeChannel(ctx, by, {
              id: talk.id,
              name: 'talk',
              topic: 'Tea',
              slow_mode_seconds: 5,
            }),
        ],
        'channel with posts': [
          'MANAGE_CHANNELS',
          (by) =>
            changeChannel(ctx, by, {
              id: news.id,
              tags: [...(news.tags ?? [])],
              questions: true,
              downvotes: true,
              card_channel_ids: [],
            }),
        ],
        'category, nothing': ['MANAGE_CHANNELS', (by) => changeChannel(ctx, by, { id: shelf.id })],
        'channels, order': [
          'MANAGE_CHANNELS',
          (by) => orderChannels(ctx, by, { community_id, order }),
        ],
        overwrite: [
          'MANAGE_CHANNELS',
          (by) =>
            setOverwrite(ctx, by, {
              id: talk.id,
              subject_id: role.id,
              kind: overwrite.kind,
              allow: [...overwrite.allow],
              deny: [...overwrite.deny],
            }),
        ],
        'member, roles': [
          'MANAGE_ROLES',
          (by) =>
            changeMember(ctx, by, {
              ...target,
              user_id: by === ada ? bob.user_id : ada.user_id,
              role_ids: [],
            }),
        ],
        'member, nothing': [
          'MANAGE_NICKNAMES',
          (by) =>
            changeMember(ctx, by, { ...target, user_id: by === ada ? bob.user_id : ada.user_id }),
        ],
        'member, oneself': [
          undefined,
          (by) =>
            changeMember(ctx, by, {
              community_id,
              user_id: by.user_id,
              nickname: null,
              role_ids: [],
            }),
        ],
        ban: [
          'BAN',
          (by) => setBan(ctx, by, { community_id, user_id: eve.user_id, reason: 'Weeds' }),
        ],
        message: [
          'not_author',
          (by) => changeChannelMessage(ctx, by, { ...place, content: 'Hello' }),
        ],
        pin: ['PIN', (by) => pinMessage(ctx, by, place)],
        post: [
          'not_author',
          (by) => changePost(ctx, by, { id: post.id, title: 'Herbs', content: null }),
        ],
        'post, nothing': ['not_author', (by) => changePost(ctx, by, { id: post.id })],
        'post, pinned': ['PIN', (by) => changePost(ctx, by, { id: post.id, pinned: true })],
        'post, locked': [
          'MANAGE_CONTENT',
          (by) => changePost(ctx, by, { id: post.id, locked: false }),
        ],
        answer: [
          'MANAGE_CONTENT',
          (by) => acceptAnswer(ctx, by, { id: post.id, comment_id: answer.id }),
        ],
        comment: ['not_author', (by) => changeComment(ctx, by, { id: answer.id, content: 'Sun.' })],
        'own marks': [
          undefined,
          async (by) => {
            await markChannel(ctx, by, { channel_id: talk.id, last_read_id: message.id });
            await setChannelNotifications(ctx, by, { channel_id: talk.id, level: 'all' });
            await setCommunityNotifications(ctx, by, { community_id, level: 'none' });
            await savePost(ctx, by, { id: post.id });
          },
        ],
        'own votes': [
          undefined,
          async (by) => {
            await addChannelReaction(ctx, by, { ...place, emoji: '🌱' });
            await votePost(ctx, by, { id: post.id, value: 1 });
            await voteComment(ctx, by, { id: answer.id, value: -1 });
            await voteInPoll(ctx, by, { id: post.id, option_ids });
          },
        ],
        'own account': [
          undefined,
          (by) =>
            updateMe(ctx, by, {
              display_name: null,
              bio: 'Hi',
              avatar: null,
              settings: { theme: 'dark' },
            }),
        ],
        'own account, nothing': [undefined, (by) => updateMe(ctx, by, {})],
      };
      for (const [, act] of Object.values(given)) await act(ada);
      return given;
    }

    const written = async () => {
      const { reader } = own.database;
      const rows = TABLES.map(async (table) => {
        const found = await reader.selectFrom(table).selectAll().execute();
        return [table, found.map((row) => JSON.stringify(row)).toSorted()];
      });
      return Object.fromEntries(await Promise.all(rows));
    };

    test('[CO21] an act that makes no difference writes nothing and sends nothing', async () => {
      const before = await written();
      for (const [name, [, act]] of Object.entries(acts)) {
        own.clock.advance(1_000);
        await act(ada);
        expect({ name, ...(await written()) }).toEqual({ name, ...before });
      }
    });

    test('[CO21] an act that makes no difference needs its permission', async () => {
      for (const [name, [reason, act]] of Object.entries(acts)) {
        expect({ name, reason: await reasonOf(act(bob)) }).toEqual({ name, reason });
      }
      const hidden = await own.garden(ada);
      const failure = await failureOf(changeCommunity(own.ctx, bob, { id: hidden.id }));
      expect(failure).toEqual(new NotFoundError());
    });
  });
});
