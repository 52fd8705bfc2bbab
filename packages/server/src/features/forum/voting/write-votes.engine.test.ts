import type { Id, Voted } from '@hearth/protocol';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { writingProcess } from '@hearth/testing/instances/writing-process';
import { failingAt } from '@hearth/testing/ports/failing-statement';
import { writeTogether } from '@hearth/testing/ports/write-together';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { startPostgresRelay } from '@hearth/testing/servers/postgres-relay';
import { storeComment, storePost, type StoredPlace } from '@hearth/testing/stored-posts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { Account } from '../../../actor.ts';
import type { InstanceContext } from '../../../instance-context.ts';
import { jsonLogger } from '../../../log/logger.ts';
import { postgresDatabase } from '../../../engines/databases.ts';
import { ownerOutbox, type EmittingDatabase } from '../../../ports/outbox/outbox.ts';
import { createChannel } from '../../communities/channels/create-channel.ts';
import { joinCommunity } from '../../communities/members/join-community.ts';
import { leaveCommunity } from '../../communities/members/leave-community.ts';
import { changeRole } from '../../communities/roles/change-role.ts';
import { voteComment, votePost } from './cast-vote.ts';

const DAY_MS = 86_400_000;
const NAMES = ['ada', 'bob', 'cat', 'dan', 'eve'];
const log = jsonLogger('silent', () => {});

onEachDatabase((open, engine) => {
  describe('votes in one transaction', () => {
    let own: CommunityTest;
    let people: readonly Account[];
    let post: StoredPlace;

    beforeAll(async () => {
      own = await communityTest(open);
      people = await Promise.all(NAMES.map((name) => own.person(name)));
      own.clock.halt(2 * DAY_MS);
    });
    afterAll(() => own[Symbol.asyncDispose]());

    /** A post of Ada in an open community of all. */
    beforeEach(async () => {
      await own.database.transaction(async ({ sql }) => {
        await sql.deleteFrom('votes').execute();
        await sql.deleteFrom('member_points').execute();
      });
      const [ada, ...others] = people as [Account, ...Account[]];
      const garden = await own.garden(ada, { visibility: 'public', join: 'open' });
      const given = { community_id: garden.id, kind: 'posts', name: 'posts' } as const;
      const { id: channelId } = await createChannel(own.ctx, ada, given);
      for (const other of others) {
        await joinCommunity(own.ctx, other, { community_id: garden.id });
      }
      post = {
        id: await own.ctx.ids.next(),
        channelId,
        communityId: garden.id,
        userId: ada.user_id,
        createdAtMs: own.clock.unixMs(),
      };
      await storePost(own.database, post);
    });

    const vote = (ctx: InstanceContext, person: Account, id = post.id) =>
      votePost(ctx, person, { id, value: 1 });
    const verbs = () =>
      people.map(
        (person) => (database: EmittingDatabase) => vote({ ...own.ctx, database }, person),
      );
    const upvotesIn = (results: readonly PromiseSettledResult<Voted>[]) =>
      results.map((result) => (result.status === 'fulfilled' ? result.value.upvotes : undefined));

    /** The totals of the post, how many votes there are, and the points of its author. */
    async function stored(id: Id = post.id) {
      const { reader } = own.database;
      const row = await reader
        .selectFrom('posts')
        .select('upvotes')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      const votes = await reader
        .selectFrom('votes')
        .select('value')
        .where('subject_id', '=', id)
        .execute();
      const points = await reader
        .selectFrom('member_points')
        .select('points')
        .where('community_id', '=', post.communityId)
        .execute();
      return [Number(row.upvotes), votes.length, Number(points[0]?.points ?? 0)];
    }

    test('[VO12] votes that come at once are one transaction, and each is answered with the totals right after it', async () => {
      const noted: number[] = [];
      const scores: InstanceContext['scores'] = {
        note: (_, { votes }) => noted.push(votes.upvotes),
      };
      const { results, attempts } = await writeTogether(
        own.ctx.database,
        people.map((person) => (database) => vote({ ...own.ctx, database, scores }, person)),
      );
      expect(attempts.map((calls) => calls.length)).toEqual([NAMES.length]);
      expect(upvotesIn(results)).toEqual([1, 2, 3, 4, 5]);
      expect(await stored()).toEqual([5, 5, 4_000]);
      expect(noted).toEqual([5]);
    });

    test.each([
      ['of the same person', 'bob', 'cat'],
      ['for the same author', 'ada', 'dan'],
    ])(
      '[VO12][VO12a][SC30] a vote %s waits for another one without a connection',
      async (_, author, voter) => {
        const personOf = (name: string) => people[NAMES.indexOf(name)] as Account;
        const other = {
          ...post,
          id: await own.ctx.ids.next(),
          userId: personOf(author).user_id,
        };
        await storePost(own.database, other);
        let [most, running] = [0, 0];
        const { attempts } = await writeTogether(
          own.ctx.database,
          [
            (database) => vote({ ...own.ctx, database }, personOf('cat')),
            (database) => vote({ ...own.ctx, database }, personOf(voter), other.id),
          ],
          {
            around: (tx) => ({
              ...tx,
              sql: tx.sql,
              async many(statement) {
                running += 1;
                most = Math.max(most, running);
                try {
                  return await tx.many(statement);
                } finally {
                  running -= 1;
                }
              },
            }),
          },
        );
        // The embedded engine writes for several posts at once.
        expect(attempts).toHaveLength(engine === 'sqlite' ? 1 : 2);
        expect(most).toBe(1);
      },
    );

    test('[SC32] votes of those who may not vote any more are refused, and the others are written', async () => {
      const [ada, , cat] = people as [Account, Account, Account];
      const { communityId: community_id } = post;
      const { results, attempts } = await writeTogether(own.ctx.database, verbs(), {
        async between() {
          await leaveCommunity(own.ctx, cat, { community_id });
          await own.database.transaction(({ sql }) =>
            sql.updateTable('communities').set({ join_mode: 'request' }).execute(),
          );
          const role = { community_id, role_id: community_id };
          await changeRole(own.ctx, ada, { ...role, permissions: ['VIEW', 'VOTE', 'COMMENT'] });
        },
      });
      expect(attempts.map((calls) => calls.length)).toEqual([5, 4]);
      expect(upvotesIn(results)).toEqual([1, 2, undefined, 3, 4]);
      expect(results[2]).toMatchObject({ reason: { data: { code: 'not_member' } } });
      expect(await stored()).toEqual([4, 4, 3_000]);
    });

    test('[SC32] a vote whose statement fails is refused, and the others are written', async () => {
      const wrong = people[1]?.user_id ?? post.id;
      const { results, attempts } = await writeTogether(own.ctx.database, verbs(), {
        around: (tx) => failingAt(tx, wrong),
      });
      expect(attempts.map((calls) => calls.length)).toEqual([5, 1, 1, 1, 1, 1]);
      expect(upvotesIn(results)).toEqual([1, undefined, 2, 3, 4]);
      expect(await stored()).toEqual([4, 4, 3_000]);
    });

    test('[VO1][VO12] a vote for a post is refused if the id is that of a comment, although votes for the comment come with it', async () => {
      const [ada] = people as [Account, ...Account[]];
      const comment = { ...post, id: await own.ctx.ids.next() };
      await storeComment(own.database, comment, { postId: post.id });
      const voteAs = (verb: typeof votePost, value: 0 | 1) => (database: EmittingDatabase) =>
        verb({ ...own.ctx, database }, ada, { id: comment.id, value });
      // From now on it is remembered where the comment is and who wrote it.
      await voteAs(voteComment, 0)(own.ctx.database);
      const { results } = await writeTogether(own.ctx.database, [
        voteAs(voteComment, 1),
        voteAs(votePost, 1),
      ]);
      expect(upvotesIn(results)).toEqual([1, undefined]);
      expect(results[1]).toMatchObject({ reason: { name: 'NotFoundError' } });
    });

    if (engine === 'postgres') {
      test('[SC32][VO12] if it is not known whether votes were committed, all are refused, and repetitions count once', async () => {
        const { address } = own.database;
        if (address.engine !== 'postgres') throw new Error('another engine');
        await using relay = await startPostgresRelay(Number(new URL(address.url).port));
        await using relayed = await postgresDatabase(relay.through(address.url), { log });
        const database = ownerOutbox(relayed);
        const { results } = await writeTogether(database, verbs(), {
          between: async () => relay.holdAt('commit\0', 'after'),
        });
        expect(results.map(({ status }) => status)).toEqual(NAMES.map(() => 'rejected'));
        relay.restore();
        const again = await Promise.all(
          people.map((person) => vote({ ...own.ctx, database }, person)),
        );
        expect(again.map((answer) => answer.my_vote)).toEqual(NAMES.map(() => 1));
        expect(await stored()).toEqual([5, 5, 4_000]);
      });
    }

    test.each(['written', 'committed'] as const)(
      '[SC32][VO12] if a process is killed when votes are %s, repetitions count each of them once',
      async (stopsAt) => {
        const { address } = own.database;
        const order = { address, place: post.id, people, stopsAt } as const;
        await using killed = writingProcess({ ...order, verb: 'vote' });
        expect(await killed.says()).toBe(stopsAt);
        await killed.kill();
        const [upvotes] = await stored();
        expect(upvotes).toBe(stopsAt === 'written' ? 0 : NAMES.length);
        await Promise.all(people.map((person) => vote(own.ctx, person)));
        expect((await stored()).slice(0, 2)).toEqual([5, 5]);
      },
    );
  });
});
