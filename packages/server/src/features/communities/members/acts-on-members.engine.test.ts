import { type Id, type MemberChange, type NewRole, type PostChange } from '@hearth/protocol';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { reasonOf } from '@hearth/testing/reason-of';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { Account } from '../../../actor.ts';
import { setBan, liftBan } from '../bans/set-ban.ts';
import { createChannel } from '../channels/create-channel.ts';
import { changeComment } from '../../forum/comments/change-comment.ts';
import { createComment } from '../../forum/comments/create-comment.ts';
import { voteInPoll } from '../../forum/voting/vote-in-poll.ts';
import { changePost } from '../../forum/posts/change-post.ts';
import { createPost } from '../../forum/posts/create-post.ts';
import { changeRole } from '../roles/change-role.ts';
import { createRole } from '../roles/create-role.ts';
import { voteComment, votePost } from '../../forum/voting/cast-vote.ts';
import { changeMember } from './change-member.ts';
import { findMember } from './list-members.ts';
import { joinCommunity } from './join-community.ts';
import { leaveCommunity } from './leave-community.ts';

const HOUR_MS = 3_600_000;

onEachDatabase((open) => {
  describe('acts on members', () => {
    let own: CommunityTest;
    let ada: Account;
    let max: Account;
    let bob: Account;
    let id: Id;

    beforeAll(async () => {
      own = await communityTest(open);
      ada = await own.person('ada');
      max = await own.person('max');
      bob = await own.person('bob');
    });
    afterAll(() => own[Symbol.asyncDispose]());

    beforeEach(async () => {
      ({ id } = await own.garden(ada, { visibility: 'public' }));
      for (const person of [max, bob]) await joinCommunity(own.ctx, person, { community_id: id });
    });

    const role = async (permissions: NewRole['permissions'], self_assignable = false) => {
      const given = { name: 'gardeners', hoisted: false, mentionable: false };
      const made = { community_id: id, ...given, self_assignable, permissions };
      return (await createRole(own.ctx, ada, made)).id;
    };
    const change = (actor: Account, { user_id }: Account, input: MemberChange) =>
      changeMember(own.ctx, actor, { community_id: id, user_id, ...input });
    const timeOut = (person: Account) =>
      change(ada, person, { timed_out_until: own.clock.unixMs() + HOUR_MS });
    const auditEntries = async () =>
      (
        await own.database.reader
          .selectFrom('audit_entries')
          .select('id')
          .where('community_id', '=', id)
          .execute()
      ).length;

    test('[CO21][CO21a] a change of a member that makes no difference needs its permission', async () => {
      const { role_ids } = await findMember(own.ctx, bob, {
        community_id: id,
        user_id: ada.user_id,
      });
      for (const target of [ada, max]) {
        expect(await reasonOf(change(bob, target, {}))).toBe('MANAGE_NICKNAMES');
        expect(await reasonOf(change(bob, target, { role_ids }))).toBe('MANAGE_ROLES');
        expect(await reasonOf(change(bob, target, { nickname: null }))).toBe('MANAGE_NICKNAMES');
        expect(await reasonOf(change(bob, target, { timed_out_until: null }))).toBe('TIMEOUT');
      }
      await change(ada, max, { role_ids: [await role(['MANAGE_ROLES', 'TIMEOUT'])] });
      expect(await reasonOf(change(max, ada, {}))).toBe('rank_too_low');
      expect(await reasonOf(change(max, ada, { role_ids: [] }))).toBe('rank_too_low');
      expect(await reasonOf(change(max, bob, {}))).toBeUndefined();
    });

    test('[CO21] a change of a member that makes no difference writes nothing and sends nothing', async () => {
      const ids = [await role([]), await role([])];
      await change(ada, bob, { role_ids: ids, nickname: 'Bobby' });
      const before = await findMember(own.ctx, bob, { community_id: id, user_id: bob.user_id });
      const entries = await auditEntries();
      await own.emitted();
      for (const [actor, same] of [
        [ada, {}],
        [ada, { role_ids: ids.toReversed(), nickname: 'Bobby', timed_out_until: null }],
        [ada, { timed_out_until: own.clock.unixMs() - 1 }],
        [bob, {}],
        [bob, { role_ids: ids }],
        [bob, { nickname: 'Bobby' }],
      ] as const satisfies readonly (readonly [Account, MemberChange])[]) {
        const given = { ...same, ...('role_ids' in same && { role_ids: [...same.role_ids] }) };
        expect(await change(actor, bob, given)).toEqual(before);
      }
      expect(await findMember(own.ctx, bob, { community_id: id, user_id: bob.user_id })).toEqual(
        before,
      );
      expect(await own.emitted()).toEqual([]);
      expect(await auditEntries()).toBe(entries);
    });

    test('[CO22] a refused change of the own nickname names CHANGE_NICKNAME', async () => {
      await changeRole(own.ctx, ada, { community_id: id, role_id: id, permissions: ['VIEW'] });
      expect(await reasonOf(change(bob, bob, { nickname: 'Bobby' }))).toBe('CHANGE_NICKNAME');
      expect(await reasonOf(change(bob, max, { nickname: 'Maxi' }))).toBe('MANAGE_NICKNAMES');
      await change(ada, bob, { role_ids: [await role(['MANAGE_NICKNAMES'])] });
      expect(await change(bob, bob, { nickname: 'Bobby' })).toMatchObject({ nickname: 'Bobby' });
    });

    test('[CO7] a member who is timed out neither takes self-assignable roles nor takes them off', async () => {
      const [free, other] = [await role([], true), await role([], true)];
      await change(bob, bob, { role_ids: [free] });
      await timeOut(bob);
      for (const role_ids of [[free, other], [], [free]]) {
        expect(await reasonOf(change(bob, bob, { role_ids }))).toBe('timed_out');
      }
      own.clock.advance(HOUR_MS);
      expect(await change(bob, bob, { role_ids: [other] })).toMatchObject({ role_ids: [other] });
    });

    test('[CO7][CO21][CO21a] a member who is timed out asks for no change of their own post, not even for none', async () => {
      const { id: channel_id } = await createChannel(own.ctx, ada, {
        ...{ community_id: id, kind: 'posts', name: 'news' },
      });
      const post = await createPost(own.ctx, bob, { channel_id, title: 'Herbs' });
      const changed = (input: PostChange) =>
        reasonOf(changePost(own.ctx, bob, { id: post.id, ...input }));
      expect(await changed({})).toBeUndefined();
      await timeOut(bob);
      expect(await changed({})).toBe('timed_out');
      expect(await changed({ title: 'Herbs' })).toBe('timed_out');
    });

    test('[CO7][MB10] somebody who leaves while they are timed out does not comment or vote until the time is over', async () => {
      const channel = await createChannel(own.ctx, ada, {
        ...{ community_id: id, kind: 'posts', name: 'news' },
      });
      const poll = { options: ['Sage', 'Basil'], ends_at: own.clock.unixMs() + 24 * HOUR_MS };
      const input = { channel_id: channel.id, title: 'Herbs', poll };
      const post = await createPost(own.ctx, ada, input);
      const mine = await createComment(own.ctx, bob, { post_id: post.id, content: 'Mint!' });
      const option = post.poll?.options[0]?.id;
      const acts = () =>
        Promise.all(
          [
            createComment(own.ctx, bob, { post_id: post.id, content: 'Thyme!' }),
            changeComment(own.ctx, bob, { id: mine.id, content: `Mint at ${own.clock.unixMs()}` }),
            votePost(own.ctx, bob, { id: post.id, value: 1 }),
            voteComment(own.ctx, bob, { id: mine.id, value: 0 }),
            voteInPoll(own.ctx, bob, { id: post.id, option_ids: option ? [option] : [] }),
          ].map((act) => reasonOf(act)),
        );
      const refused = Array.from({ length: 5 }, () => 'timed_out');
      await timeOut(bob);
      expect(await acts()).toEqual(refused);
      await leaveCommunity(own.ctx, bob, { community_id: id });
      expect(await acts()).toEqual(refused);
      // What is remembered of somebody is what is true after they came back, too, and after a ban was lifted.
      await joinCommunity(own.ctx, bob, { community_id: id });
      expect(await acts()).toEqual(refused);
      await setBan(own.ctx, ada, { community_id: id, user_id: bob.user_id });
      expect(await acts()).toEqual(Array.from({ length: 5 }, () => 'not_member'));
      await liftBan(own.ctx, ada, { community_id: id, user_id: bob.user_id });
      expect(await acts()).toEqual(refused);
      own.clock.advance(HOUR_MS);
      expect(await acts()).toEqual(Array.from({ length: 5 }, () => undefined));
    });
  });
});
