import type { Id, OwnCommunity } from '@hearth/protocol';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { countWaiting } from '@hearth/testing/lock-waits';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { storePost } from '@hearth/testing/stored-posts';
import { until } from '@hearth/testing/until';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { Account } from '../../../actor.ts';
import type { InstanceContext } from '../../../instance-context.ts';
import { withQueues } from '../../../ports/outbox/outbox.ts';
import { holdWriting } from '../../communities/structure/hold-rules.ts';
import { createChannel } from '../../communities/channels/create-channel.ts';
import { createComment } from '../comments/create-comment.ts';
import { joinCommunity } from '../../communities/members/join-community.ts';
import { voteComment, votePost } from './cast-vote.ts';

onEachDatabase((open) => {
  describe('votes, comments and those who end rights', () => {
    let own: CommunityTest;
    let ada: Account;
    let bob: Account;
    let eve: Account;
    let garden: OwnCommunity;
    let post: Id;
    let comment: Id;

    beforeAll(async () => {
      own = await communityTest(open);
      ada = await own.person('ada');
      bob = await own.person('bob');
      eve = await own.person('eve');
    });
    afterAll(() => own[Symbol.asyncDispose]());

    /** An open garden of Ada with Bob in it, and without Eve, and a post of hers with a comment. */
    beforeEach(async () => {
      garden = await own.garden(ada, { visibility: 'public', join: 'open' });
      const place = { community_id: garden.id, kind: 'posts', name: 'posts' } as const;
      const { id: channelId } = await createChannel(own.ctx, ada, place);
      await joinCommunity(own.ctx, bob, { community_id: garden.id });
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
    });

    type Write = (ctx: InstanceContext) => Promise<unknown>;
    const late = { content: 'Late' };
    const writes: readonly (readonly [rule: string, what: string, Write])[] = [
      ['VO4', 'vote of a member for a post', (ctx) => votePost(ctx, bob, { id: post, value: 1 })],
      [
        'VO4',
        'vote of a member for a comment',
        (ctx) => voteComment(ctx, bob, { id: comment, value: 1 }),
      ],
      [
        'VO4',
        'vote of somebody else for a post',
        (ctx) => votePost(ctx, eve, { id: post, value: 1 }),
      ],
      ['CT4', 'comment of a member', (ctx) => createComment(ctx, bob, { post_id: post, ...late })],
      [
        'CT4',
        'comment of somebody else',
        (ctx) => createComment(ctx, eve, { post_id: post, ...late }),
      ],
    ];

    test.each(writes)(
      '[%s] no %s keeps those waiting who lock its channel',
      async (_rule, _what, write) => {
        if (own.database.engine === 'sqlite') return;
        const [isDone, isOver] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
        const transaction: InstanceContext['database']['transaction'] = (work) =>
          own.ctx.database.transaction(async (tx) => {
            const result = await work(tx);
            isDone.resolve();
            await isOver.promise;
            return result;
          });
        const ctx = { ...own.ctx, ...own.stateOn(own.ctx.database) };
        const database = withQueues({ ...own.ctx.database, transaction });
        const writing = write({ ...ctx, database });
        await isDone.promise;
        let isLocked = false;
        const locking = own.database
          .transaction((tx) => holdWriting(tx, garden.id))
          .then(() => (isLocked = true));
        await until(async () => isLocked || (await countWaiting(own.database)) !== 0);
        const didWait = !isLocked;
        isOver.resolve();
        await Promise.all([writing, locking]);
        expect(didWait).toBe(false);
      },
    );
  });
});
