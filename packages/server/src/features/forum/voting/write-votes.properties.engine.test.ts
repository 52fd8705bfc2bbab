import { ProtocolError, type Id, type OwnCommunity, type Voted } from '@hearth/protocol';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { writeTogether } from '@hearth/testing/ports/write-together';
import { runs } from '@hearth/testing/runs';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { storeComment, storePost } from '@hearth/testing/stored-posts';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Account } from '../../../actor.ts';
import type { InstanceContext } from '../../../instance-context.ts';
import { setBan } from '../../communities/bans/set-ban.ts';
import { changeChannel } from '../../communities/channels/change-channel.ts';
import { createChannel } from '../../communities/channels/create-channel.ts';
import { joinCommunity } from '../../communities/members/join-community.ts';
import { changeRole } from '../../communities/roles/change-role.ts';
import { voteComment, votePost } from './cast-vote.ts';
import type { VoteWrite } from './write-votes.ts';

const DAY_MS = 86_400_000;

/** Dan is no member, and the account of Eve is new. */
const NAMES = ['ada', 'bob', 'cat', 'dan', 'eve'] as const;

const PLACES = ['of ada', 'also of ada', 'of bob', 'comment', 'without down votes'] as const;

const CALL = fc.record({
  by: fc.constantFrom(...NAMES),
  // Most come to the same post.
  place: fc.oneof(fc.constant('of ada' as const), fc.constantFrom(...PLACES)),
  value: fc.constantFrom(1, 1, -1, 0),
});

type Call = typeof CALL extends fc.Arbitrary<infer Value> ? Value : never;

/** Changes after the callers have found out what they may do. */
const CHANGE = fc.constantFrom(
  'nothing',
  'nothing',
  'lock',
  'ban',
  'deny',
  'delete a post',
  'delete the comment',
  'no down votes',
);

type Change = typeof CHANGE extends fc.Arbitrary<infer Value> ? Value : never;

interface World {
  readonly garden: OwnCommunity;
  readonly channelId: Id;
  readonly ids: ReadonlyMap<Call['place'], Id>;
}

onEachDatabase((open) => {
  describe('votes that are written together', () => {
    let own: CommunityTest;
    const people = new Map<Call['by'], Account>();

    const person = (name: Call['by']): Account => {
      const found = people.get(name);
      if (found === undefined) throw new Error(`there is no ${name}`);
      return found;
    };

    beforeAll(async () => {
      own = await communityTest(open);
      for (const name of NAMES) {
        if (name === 'eve') own.clock.halt(2 * DAY_MS);
        people.set(name, await own.person(name));
      }
    });
    afterAll(() => own[Symbol.asyncDispose]());

    /** Makes a community with posts that have some votes already. */
    async function makeWorld(earlier: readonly Call[]): Promise<World> {
      const { database, ctx } = own;
      // What somebody gave another one before would make the next vote give less.
      await database.transaction(async ({ sql }) => {
        // Nobody is in more than a hundred communities.
        await sql.deleteFrom('members').execute();
        await sql.deleteFrom('votes').execute();
        await sql.deleteFrom('member_points').execute();
      });
      const ada = person('ada');
      const garden = await own.garden(ada, { visibility: 'public', join: 'open' });
      const community_id = garden.id;
      const given = { community_id, kind: 'posts' } as const;
      const { id: channelId } = await createChannel(ctx, ada, { ...given, name: 'posts' });
      const other = await createChannel(ctx, ada, { ...given, name: 'ups', downvotes: false });
      for (const name of ['bob', 'cat', 'eve'] as const) {
        await joinCommunity(ctx, person(name), { community_id });
      }
      const ids = new Map<Call['place'], Id>();
      for (const place of PLACES) {
        const id = await ctx.ids.next();
        const userId = person(place === 'of bob' ? 'bob' : 'ada').user_id;
        const home = place === 'without down votes' ? other.id : channelId;
        const createdAtMs = own.clock.unixMs();
        const stored = { id, channelId: home, communityId: garden.id, userId, createdAtMs };
        const postId = ids.get('of ada') ?? id;
        if (place === 'comment') await storeComment(database, stored, { postId });
        else await storePost(database, stored);
        ids.set(place, id);
      }
      const world = { garden, channelId, ids };
      for (const call of earlier) await Promise.allSettled([vote(ctx, world, call)]);
      return world;
    }

    function idOf({ ids }: World, place: Call['place']): Id {
      const id = ids.get(place);
      if (id === undefined) throw new Error(`there is no post ${place}`);
      return id;
    }

    function vote(ctx: InstanceContext, world: World, call: Call): Promise<Voted> {
      const verb = call.place === 'comment' ? voteComment : votePost;
      const { value } = call as { value: 1 | -1 | 0 };
      return verb(ctx, person(call.by), { id: idOf(world, call.place), value });
    }

    async function make(change: Change, world: World): Promise<void> {
      const ada = person('ada');
      const { id: community_id } = world.garden;
      const post = idOf(world, 'of ada');
      switch (change) {
        case 'lock':
          await own.database.transaction(({ sql }) =>
            sql.updateTable('posts').set({ locked: 1 }).where('id', '=', post).execute(),
          );
          return;
        case 'ban':
          await setBan(own.ctx, ada, { community_id, user_id: person('cat').user_id });
          return;
        case 'deny':
          await changeRole(own.ctx, ada, {
            community_id,
            role_id: community_id,
            permissions: ['VIEW'],
          });
          return;
        case 'delete a post':
          await own.database.transaction(({ sql }) =>
            sql.deleteFrom('posts').where('id', '=', post).execute(),
          );
          return;
        case 'delete the comment':
          await own.database.transaction(({ sql }) =>
            sql
              .updateTable('comments')
              .set({ deleted_at_ms: 1 })
              .where('id', '=', idOf(world, 'comment'))
              .execute(),
          );
          return;
        case 'no down votes':
          await changeChannel(own.ctx, ada, { id: world.channelId, downvotes: false });
          return;
        case 'nothing':
      }
    }

    function answerOf(result: PromiseSettledResult<Voted> | undefined): unknown {
      if (result?.status !== 'rejected') return result?.value;
      const { reason } = result;
      return reason instanceof ProtocolError ? [reason.name, reason.data] : String(reason);
    }

    /** Everything that votes change, with names in place of ids. */
    async function stateOf(world: World) {
      const { reader } = own.database;
      const names = new Map<string, string>();
      for (const [place, id] of world.ids) names.set(id, place);
      for (const [name, { user_id: id }] of people) names.set(id, name).set(id, name);
      const nameOf = (id: string) => names.get(id);
      const all = <Row extends object>(rows: readonly Row[]) =>
        rows
          .map((row) =>
            JSON.stringify(row, (_, each) =>
              typeof each === 'string' && /^\d+$/.test(each)
                ? (nameOf(each) ?? Number(each))
                : each,
            ),
          )
          .toSorted();
      const ids = world.ids.values().toArray();
      const totals = ['id', 'upvotes', 'downvotes', 'score', 'controversial'] as const;
      const { id: communityId } = world.garden;
      return {
        posts: all(
          await reader
            .selectFrom('posts')
            .select([...totals, 'hot', 'active'])
            .where('id', 'in', ids)
            .execute(),
        ),
        comments: all(
          await reader.selectFrom('comments').select(totals).where('id', 'in', ids).execute(),
        ),
        votes: all(
          await reader
            .selectFrom('votes')
            .select(['subject_id', 'user_id', 'kind', 'author_id', 'value', 'points', 'cast_at_ms'])
            .execute(),
        ),
        points: all(
          await reader
            .selectFrom('member_points')
            .select(['user_id', 'points'])
            .where('community_id', '=', communityId)
            .where('points', '!=', 0)
            .execute(),
        ),
      };
    }

    test('[VO12][SC32] a transaction for several votes stores and answers what the same votes would one after another', async () => {
      let together = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(CALL, { maxLength: 6 }),
          fc.array(CALL, { minLength: 4, maxLength: 20 }),
          CHANGE,
          async (earlier, calls, change) => {
            const one = await makeWorld(earlier);
            const { results, attempts } = await writeTogether(
              own.ctx.database,
              calls.map((call) => (database) => vote({ ...own.ctx, database }, one, call)),
              { between: () => make(change, one) },
            );
            together = Math.max(together, ...attempts.map((each) => each.length));
            const state = await stateOf(one);
            // In the order in which they were queued, and those that were refused before they came to a queue.
            const order = inOrder(one, {
              calls,
              attempts: attempts.map((each) => each as readonly VoteWrite[]),
            });
            const other = await makeWorld(earlier);
            await make(change, other);
            const after: PromiseSettledResult<Voted>[] = [];
            for (const at of order) {
              const call = calls[at];
              if (call === undefined) throw new Error('a vote that nobody has cast');
              const [answer] = await Promise.allSettled([vote(own.ctx, other, call)]);
              if (answer !== undefined) after[at] = answer;
            }
            expect({ answers: results.map(answerOf), state }).toEqual({
              answers: calls.map((_, at) => answerOf(after[at])),
              state: await stateOf(other),
            });
          },
        ),
        { numRuns: runs(8, 3) },
      );
      expect(together).toBeGreaterThan(0);
    });

    /** The places of the calls in the order in which they were written, and then those that were not. */
    function inOrder(
      world: World,
      {
        calls,
        attempts,
      }: { readonly calls: readonly Call[]; readonly attempts: readonly (readonly VoteWrite[])[] },
    ): readonly number[] {
      const written = [...new Set(attempts.flat().toReversed())].toReversed();
      const left = new Set(calls.keys());
      const places = written.map(({ acting, place, value }) => {
        const at = left.values().find((each) => {
          const call = calls[each];
          return (
            call !== undefined &&
            person(call.by).user_id === acting.actor.user_id &&
            idOf(world, call.place) === place.id &&
            call.value === value
          );
        });
        if (at === undefined) throw new Error('a vote that nobody has cast');
        left.delete(at);
        return at;
      });
      return [...places, ...left];
    }
  });
});
