import { ProtocolError, type Id, type Poll } from '@hearth/protocol';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { writeTogether } from '@hearth/testing/ports/write-together';
import { runs } from '@hearth/testing/runs';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { storePoll, storePost } from '@hearth/testing/stored-posts';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Account } from '../../../actor.ts';
import type { InstanceContext } from '../../../instance-context.ts';
import { createChannel } from '../../communities/channels/create-channel.ts';
import { voteInPoll, type ChoiceWrite } from './vote-in-poll.ts';

const HOUR_MS = 3_600_000;

const CALL = fc.record({
  by: fc.nat({ max: 4 }),
  /** Most choose in the same poll, of two. */
  poll: fc.constantFrom(0, 0, 0, 1),
  /** The poll has no third option, and only one can be chosen. */
  options: fc.constantFrom(['1'], ['2'], ['1'], [], ['1', '2'], ['3']),
});

type Call = typeof CALL extends fc.Arbitrary<infer Value> ? Value : never;

const CHANGE = fc.constantFrom('nothing', 'nothing', 'lock', 'delete', 'end');

type Change = typeof CHANGE extends fc.Arbitrary<infer Value> ? Value : never;

onEachDatabase((open) => {
  describe('choices in polls that are written together', () => {
    let own: CommunityTest;
    let people: readonly Account[];
    let place: { readonly channelId: Id; readonly communityId: Id };

    beforeAll(async () => {
      own = await communityTest(open);
      people = await Promise.all(
        ['ada', 'bob', 'cat', 'dan', 'eve'].map((each) => own.person(each)),
      );
      const [ada] = people as [Account, ...Account[]];
      const garden = await own.garden(ada, { visibility: 'public', join: 'open' });
      const given = { community_id: garden.id, kind: 'posts', name: 'posts' } as const;
      const { id: channelId } = await createChannel(own.ctx, ada, given);
      place = { channelId, communityId: garden.id };
    });
    afterAll(() => own[Symbol.asyncDispose]());

    /** Makes posts with polls in which some have chosen already. */
    async function makePolls(earlier: readonly Call[]): Promise<readonly Id[]> {
      const [ada] = people as [Account, ...Account[]];
      const ids: Id[] = [];
      for (let count = 0; count < 2; count += 1) {
        const id = await own.ctx.ids.next();
        const nowMs = own.clock.unixMs();
        await storePost(own.database, { ...place, id, userId: ada.user_id, createdAtMs: nowMs });
        await storePoll(own.database, { ...place, postId: id, endsAtMs: nowMs + HOUR_MS });
        ids.push(id);
      }
      for (const call of earlier) await Promise.allSettled([choose(own.ctx, ids, call)]);
      return ids;
    }

    function choose(ctx: InstanceContext, ids: readonly Id[], call: Call): Promise<Poll> {
      const [by, id] = [people[call.by], ids[call.poll]];
      if (by === undefined || id === undefined) throw new Error('there is nobody');
      // Guarantee: the options of the polls have these ids.
      return voteInPoll(ctx, by, { id, option_ids: call.options.map((each) => each as Id) });
    }

    async function make(change: Change, [id]: readonly Id[]): Promise<void> {
      if (id === undefined || change === 'nothing') return;
      const post = id;
      await own.database.transaction(async ({ sql }) => {
        if (change === 'lock') {
          await sql.updateTable('posts').set({ locked: 1 }).where('id', '=', post).execute();
        } else if (change === 'delete') {
          await sql.deleteFrom('posts').where('id', '=', post).execute();
          await sql.deleteFrom('polls').where('post_id', '=', post).execute();
        } else {
          const ended = { ends_at_ms: own.clock.unixMs() };
          await sql.updateTable('polls').set(ended).where('post_id', '=', post).execute();
        }
      });
    }

    function answerOf(result: PromiseSettledResult<Poll> | undefined): unknown {
      if (result?.status !== 'rejected') return result?.value;
      const { reason } = result;
      return reason instanceof ProtocolError ? [reason.name, reason.data] : String(reason);
    }

    /** The polls, and what is chosen in them. */
    async function stateOf(ids: readonly Id[]) {
      const { reader } = own.database;
      const all = ids;
      const polls = await reader
        .selectFrom('polls')
        .select(['post_id', 'options', 'voters'])
        .where('post_id', 'in', all)
        .execute();
      const choices = await reader
        .selectFrom('poll_votes')
        .select(['post_id', 'user_id', 'options', 'voted_at_ms'])
        .where('post_id', 'in', all)
        .execute();
      return [...polls, ...choices]
        .map((row) => JSON.stringify({ ...row, post_id: all.indexOf(row.post_id) }))
        .toSorted();
    }

    test('[PL4][SC32] a transaction for several choices stores and answers what the same choices would one after another', async () => {
      let together = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(CALL, { maxLength: 4 }),
          fc.array(CALL, { minLength: 4, maxLength: 16 }),
          CHANGE,
          async (earlier, calls, change) => {
            const one = await makePolls(earlier);
            const { results, attempts } = await writeTogether(
              own.ctx.database,
              calls.map((call) => (database) => choose({ ...own.ctx, database }, one, call)),
              { between: () => make(change, one) },
            );
            together = Math.max(together, ...attempts.map((each) => each.length));
            const state = await stateOf(one);
            const written = [...new Set(attempts.flat().toReversed())].toReversed();
            const order = inOrder(one, { calls, written: written as readonly ChoiceWrite[] });
            const other = await makePolls(earlier);
            await make(change, other);
            const after: PromiseSettledResult<Poll>[] = [];
            for (const at of order) {
              const call = calls[at];
              if (call === undefined) throw new Error('a choice that nobody has made');
              const [answer] = await Promise.allSettled([choose(own.ctx, other, call)]);
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
      expect(together).toBeGreaterThan(4);
    });

    /** The places of the calls in the order in which they were written, and then those that were not. */
    function inOrder(
      ids: readonly Id[],
      {
        calls,
        written,
      }: { readonly calls: readonly Call[]; readonly written: readonly ChoiceWrite[] },
    ): readonly number[] {
      const left = new Set(calls.keys());
      const places = written.map(({ acting, postId, options }) => {
        const at = left.values().find((each) => {
          const call = calls[each];
          return (
            call !== undefined &&
            people[call.by]?.user_id === acting.actor.user_id &&
            ids[call.poll] === postId &&
            call.options.join() === options.join()
          );
        });
        if (at === undefined) throw new Error('a choice that nobody has made');
        left.delete(at);
        return at;
      });
      return [...places, ...left];
    }
  });
});
