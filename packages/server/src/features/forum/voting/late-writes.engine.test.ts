import { ForbiddenError, type Id, type OwnCommunity } from '@hearth/protocol';
import {
  communityTest,
  type CommunityProcess,
  type CommunityTest,
} from '@hearth/testing/communities';
import { failureOf } from '@hearth/testing/failure-of';
import { countWaiting } from '@hearth/testing/lock-waits';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { storePost } from '@hearth/testing/stored-posts';
import { until } from '@hearth/testing/until';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { Account } from '../../../actor.ts';
import type { InstanceContext } from '../../../instance-context.ts';
import { withQueues } from '../../../ports/outbox/outbox.ts';
import { setBan } from '../../communities/bans/set-ban.ts';
import { changeChannel } from '../../communities/channels/change-channel.ts';
import { createChannel } from '../../communities/channels/create-channel.ts';
import { setOverwrite } from '../../communities/channels/set-overwrite.ts';
import { changeCommunity } from '../../communities/communities/change-community.ts';
import { createComment } from '../comments/create-comment.ts';
import { deleteComment } from '../comments/delete-comment.ts';
import { joinCommunity } from '../../communities/members/join-community.ts';
import { addPolls } from '../polls/add-polls.ts';
import { voteInPoll } from './vote-in-poll.ts';
import { changePost } from '../posts/change-post.ts';
import { changeRole } from '../../communities/roles/change-role.ts';
import { voteComment, votePost } from './cast-vote.ts';

onEachDatabase((open) => {
  describe('late votes and comments', () => {
    let own: CommunityTest;
    let other: CommunityProcess;
    let ada: Account;
    let bob: Account;
    let eve: Account;
    let garden: OwnCommunity;
    let category: Id;
    let channelId: Id;
    let post: Id;
    let comment: Id;

    beforeAll(async () => {
      own = await communityTest(open);
      ada = await own.person('ada');
      bob = await own.person('bob');
      eve = await own.person('eve');
    });
    afterAll(() => own[Symbol.asyncDispose]());
    afterEach(() => other[Symbol.asyncDispose]());

    /** An open garden of Ada with Bob in it, and without Eve, who was banned for a while, and a post of hers with a comment and a poll. */
    beforeEach(async () => {
      other = await own.another({ isDeaf: true });
      garden = await own.garden(ada, { visibility: 'public', join: 'open' });
      const place = { community_id: garden.id };
      ({ id: category } = await createChannel(own.ctx, ada, {
        ...place,
        kind: 'category',
        name: 'all',
      }));
      const asked = { ...place, kind: 'posts', name: 'posts', category_id: category } as const;
      ({ id: channelId } = await createChannel(own.ctx, ada, asked));
      await joinCommunity(own.ctx, bob, place);
      const former = { ...place, user_id: eve.user_id, expires_at: own.clock.unixMs() + 1_000 };
      await setBan(own.ctx, ada, former);
      own.clock.halt(1_000);
      const written = {
        channelId,
        communityId: garden.id,
        userId: ada.user_id,
        createdAtMs: own.clock.unixMs(),
      };
      post = await own.ctx.ids.next();
      await storePost(own.database, { ...written, id: post });
      const early = { post_id: post, content: 'Early' };
      ({ id: comment } = await createComment(own.ctx, ada, early));
      const poll = { options: ['Roses', 'Tulips'], multiple: false };
      const ends = { ends_at: written.createdAtMs + 3_600_000 };
      await own.database.transaction((tx) =>
        addPolls(tx, [{ post: { ...written, id: post }, poll: { ...poll, ...ends } }]),
      );
    });

    type Transact = InstanceContext['database']['transaction'];
    const withTransactions = (ctx: InstanceContext, transaction: Transact): InstanceContext => ({
      ...ctx,
      database: withQueues({ ...ctx.database, transaction }),
    });
    /** Counts the votes and new comments that are stored. */
    const totals = async () => {
      const { reader } = own.database;
      const polls = await reader
        .selectFrom('polls')
        .select('voters')
        .where('post_id', '=', post)
        .execute();
      const votes = await reader
        .selectFrom('votes')
        .select('value')
        .where('channel_id', '=', channelId)
        .execute();
      const comments = await reader
        .selectFrom('comments')
        .select('id')
        .where('channel_id', '=', channelId)
        .where('content', '=', 'Late')
        .execute();
      const written = votes.length + comments.length;
      return written + polls.reduce((sum, { voters }) => sum + Number(voters), 0);
    };

    type Write = (ctx: InstanceContext) => Promise<unknown>;
    const ofBob: Write = (ctx) => votePost(ctx, bob, { id: post, value: 1 });
    const ofEve: Write = (ctx) => votePost(ctx, eve, { id: post, value: 1 });
    const down: Write = (ctx) => votePost(ctx, bob, { id: post, value: -1 });
    const onComment: Write = (ctx) => voteComment(ctx, bob, { id: comment, value: 1 });
    const inPoll: Write = (ctx) => voteInPoll(ctx, bob, { id: post, option_ids: ['1' as Id] });
    const late = { content: 'Late' };
    const byBob: Write = (ctx) => createComment(ctx, bob, { post_id: post, ...late });
    const byEve: Write = (ctx) => createComment(ctx, eve, { post_id: post, ...late });
    const denyIn = (id: Id) => {
      const everyone = { subject_id: garden.id, kind: 'role' } as const;
      return setOverwrite(own.ctx, ada, { id, ...everyone, allow: [], deny: ['VOTE', 'COMMENT'] });
    };
    const deny = () => {
      const everyone = { community_id: garden.id, role_id: garden.id };
      return changeRole(own.ctx, ada, { ...everyone, permissions: ['VIEW'] });
    };
    const lock = () => changePost(own.ctx, ada, { id: post, locked: true });
    const ban = ({ user_id } = eve) => setBan(own.ctx, ada, { community_id: garden.id, user_id });
    const close = () => changeCommunity(own.ctx, ada, { id: garden.id, join: 'request' });
    const noDown = () => changeChannel(own.ctx, ada, { id: channelId, downvotes: false });

    const cases: readonly (readonly [
      rule: string,
      ended: string,
      code: string,
      () => Promise<unknown>,
      Write,
    ])[] = [
      ['VO4', 'a role denied it', 'permission_missing', deny, ofBob],
      ['VO4', 'a role denied it to those who are no members', 'permission_missing', deny, ofEve],
      ['VO4', 'an overwrite denied it', 'permission_missing', () => denyIn(channelId), ofBob],
      [
        'VO4',
        'an overwrite of the category denied it',
        'permission_missing',
        () => denyIn(category),
        onComment,
      ],
      ['VO4', 'those who are no members were banned', 'not_member', ban, ofEve],
      ['VO4', 'a member was banned', 'not_member', () => ban(bob), ofBob],
      ['VO4', 'the community was closed to those who are no members', 'not_member', close, ofEve],
      ['VO5', 'the post was locked', 'post_locked', lock, ofBob],
      ['VO5', 'the post of a comment was locked', 'post_locked', lock, onComment],
      ['VO5', 'down votes were switched off', 'downvotes_off', noDown, down],
      ['PL2', 'the post of a poll was locked', 'post_locked', lock, inPoll],
      ['CT4', 'a role denied it', 'permission_missing', deny, byBob],
      [
        'CT4',
        'an overwrite of the category denied it',
        'permission_missing',
        () => denyIn(category),
        byBob,
      ],
      ['CT4', 'those who are no members were banned', 'not_member', ban, byEve],
      ['CT4', 'a member was banned', 'not_member', () => ban(bob), byBob],
      ['CT4', 'the community was closed to those who are no members', 'not_member', close, byEve],
      ['CT5', 'the post was locked', 'post_locked', lock, byBob],
    ];

    test.each(cases)('[%s] nothing is stored after %s', async (_rule, _ended, code, end, write) => {
      const [isAllowed, hasEnded] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const writing = failureOf(
        write(
          withTransactions(other, async (work) => {
            isAllowed.resolve();
            await hasEnded.promise;
            return await other.database.transaction(work);
          }),
        ),
      );
      await isAllowed.promise;
      await end();
      hasEnded.resolve();
      const error = await writing;
      expect(error).toBeInstanceOf(ForbiddenError);
      expect(error instanceof ForbiddenError && error.data?.['code']).toBe(code);
      expect(await totals()).toBe(0);
    });

    test.each(cases)(
      '[%s] what comes before %s is stored by then',
      async (_rule, _ended, _code, end, write) => {
        const [isDone, isWaitedFor] = [
          Promise.withResolvers<void>(),
          Promise.withResolvers<void>(),
        ];
        const writing = write(
          withTransactions(other, (work) =>
            other.database.transaction(async (tx) => {
              const result = await work(tx);
              isDone.resolve();
              await isWaitedFor.promise;
              return result;
            }),
          ),
        );
        await isDone.promise;
        let hasEnded = false;
        const ending = end()
          .then(totals)
          .finally(() => {
            hasEnded = true;
          });
        await until(async () => hasEnded || (await countWaiting(own.database)) !== 0);
        isWaitedFor.resolve();
        expect(await ending).toBe(1);
        await writing;
      },
    );

    test('[CT4] a comment is stored at once, although a role of its community may do more by then', async () => {
      let tries = 0;
      const everyone = { community_id: garden.id, role_id: garden.id };
      const former = garden.roles.find(({ id }) => id === garden.id)?.permissions ?? [];
      const ctx = withTransactions(other, async (work) => {
        tries += 1;
        await changeRole(own.ctx, ada, { ...everyone, permissions: [...former, 'PIN'] });
        return await other.database.transaction(work);
      });
      await byBob(ctx);
      expect(tries).toBe(1);
      expect(await totals()).toBe(1);
    });

    type Act = (ctx: InstanceContext) => Promise<unknown>;
    const acts: readonly (readonly [rule: string, name: string, Act])[] = [
      ['CT8', 'a moderator deletes a comment', (ctx) => deleteComment(ctx, ada, { id: comment })],
      [
        'PO6',
        'a moderator locks a post',
        (ctx) => changePost(ctx, ada, { id: post, locked: true }),
      ],
    ];

    test.each(acts)(
      '[%s] %s while a role is changed, and neither is tried again',
      async (_rule, _name, act) => {
        const theirs = await createComment(own.ctx, bob, { post_id: post, content: 'Early' });
        comment = theirs.id;
        let changing: Promise<unknown> | undefined;
        let tries = 0;
        const counted =
          (by: InstanceContext): Transact =>
          (work) =>
            by.database.transaction((tx) => {
              tries += 1;
              return work(tx);
            });
        const ctx = withTransactions(other, (work) =>
          counted(other)((tx) =>
            work({
              ...tx,
              async hold(name, how) {
                await tx.hold(name, how);
                changing ??= changeRole(withTransactions(own.ctx, counted(own.ctx)), ada, {
                  community_id: garden.id,
                  role_id: garden.id,
                  permissions: ['VIEW', 'COMMENT'],
                });
                await until(async () => (await countWaiting(own.database)) !== 0);
              },
            }),
          ),
        );
        await act(ctx);
        await changing;
        expect(tries).toBe(2);
      },
    );
  });
});
