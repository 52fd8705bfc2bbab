import { ProtocolError, type Comment, type Id, type OwnCommunity } from '@hearth/protocol';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { writeTogether } from '@hearth/testing/ports/write-together';
import { runs } from '@hearth/testing/runs';
import { storePost, type StoredPlace } from '@hearth/testing/stored-posts';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Account } from '../../../actor.ts';
import type { InstanceContext } from '../../../instance-context.ts';
import type { Signal } from '../../../ports/signals/signals.ts';
import { changeChannel } from '../../communities/channels/change-channel.ts';
import { createChannel } from '../../communities/channels/create-channel.ts';
import { joinCommunity } from '../../communities/members/join-community.ts';
import { leaveCommunity } from '../../communities/members/leave-community.ts';
import { sendStored } from '../../talk/notifications/send-notifications.ts';
import { createComment } from './create-comment.ts';
import { deleteComment } from './delete-comment.ts';

const PEOPLE = ['ada', 'bob', 'cat', 'dan', 'eve'] as const;

/** People who stay: the people whom a comment mentions are found out before it is written. */
const MENTIONED = ['ada', 'cat', 'dan', 'eve'];

type Name = (typeof PEOPLE)[number];

/** A comment that somebody writes. */
interface Call {
  readonly by: Name;
  readonly content: string;
  /** Which of the comments that are there it replies to. */
  readonly parent: number | undefined;
  readonly nonce: string | undefined;
}

/** Changes after the callers have found out what they may do. */
const CHANGES = [
  'nothing',
  'lock',
  'leave',
  'delete a parent',
  'rename',
  'delete the post',
] as const;

type Change = (typeof CHANGES)[number];

/** A post with some comments. */
interface World {
  readonly garden: OwnCommunity;
  readonly post: StoredPlace;
  readonly comments: readonly Comment[];
}

function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function randomCalls(below: (most: number) => number): readonly Call[] {
  return Array.from({ length: 2 + below(12) }, (_, at) => ({
    by: PEOPLE[below(PEOPLE.length)] ?? 'ada',
    content: `Number ${at}${below(3) === 0 ? ` for @${MENTIONED[below(MENTIONED.length)]}` : ''}`,
    parent: below(2) === 0 ? undefined : below(4),
    nonce: below(2) === 0 ? undefined : `nonce ${below(2)}`,
  }));
}

onEachDatabase((open) => {
  describe('comments that are written together', () => {
    let own: CommunityTest;
    const people = new Map<Name, Account>();
    let signals: Signal[] = [];
    let posts = 0n;

    const person = (name: Name): Account => {
      const found = people.get(name);
      if (found === undefined) throw new Error(`there is no ${name}`);
      return found;
    };

    beforeAll(async () => {
      own = await communityTest(open);
      for (const name of PEOPLE) people.set(name, await own.person(name));
      own.ctx.signals.listen((signal) => signals.push(signal));
    });
    afterAll(() => own[Symbol.asyncDispose]());

    /** Makes a community of all but eve, with a post that has four comments. */
    async function makeWorld(): Promise<World> {
      const ada = person('ada');
      const garden = await own.garden(ada, { visibility: 'public', join: 'open' });
      const community_id = garden.id;
      const kind = 'posts';
      const channel = await createChannel(own.ctx, ada, { community_id, kind, name: 'posts' });
      for (const name of ['bob', 'cat', 'dan'] as const) {
        await joinCommunity(own.ctx, person(name), { community_id });
      }
      posts += 1n;
      const post: StoredPlace = {
        id: String(900_000_000_000n + posts) as Id,
        channelId: channel.id,
        communityId: garden.id,
        userId: person('dan').user_id,
        createdAtMs: own.clock.unixMs(),
      };
      await storePost(own.database, post);
      const comments: Comment[] = [];
      for (const name of ['ada', 'bob', 'cat', 'bob'] as const) {
        const given = { content: `Of ${name}`, ...(comments[2] && { parent_id: comments[2].id }) };
        comments.push(await createComment(own.ctx, person(name), { post_id: post.id, ...given }));
      }
      await own.emitted();
      signals = [];
      return { garden, post, comments };
    }

    async function make(change: Change, { garden, post, comments }: World): Promise<void> {
      const ada = person('ada');
      switch (change) {
        case 'nothing':
          return;
        case 'lock':
          await own.database.transaction(({ sql }) =>
            sql.updateTable('posts').set({ locked: 1 }).where('id', '=', post.id).execute(),
          );
          return;
        case 'leave':
          await leaveCommunity(own.ctx, person('bob'), { community_id: garden.id });
          return;
        case 'delete a parent':
          await deleteComment(own.ctx, ada, { id: comments[1]?.id ?? post.id });
          return;
        case 'rename':
          await changeChannel(own.ctx, ada, { id: post.channelId, name: 'other' });
          return;
        case 'delete the post':
          await own.database.transaction(({ sql }) =>
            sql.deleteFrom('posts').where('id', '=', post.id).execute(),
          );
      }
    }

    const write = (ctx: InstanceContext, { post, comments }: World, call: Call) =>
      createComment(ctx, person(call.by), {
        post_id: post.id,
        content: call.content,
        ...(call.parent !== undefined && { parent_id: comments[call.parent]?.id ?? post.id }),
        ...(call.nonce !== undefined && { nonce: call.nonce }),
      });

    /** Returns the answer to a call, with numbers in place of ids. */
    function answerOf(
      result: PromiseSettledResult<Comment>,
      numbers: ReadonlyMap<string, number>,
    ): unknown {
      if (result.status === 'fulfilled') return inNumbers(result.value, numbers);
      const { reason } = result;
      return reason instanceof ProtocolError ? [reason.name, reason.data] : String(reason);
    }

    /** Everything that is stored and sent, with numbers in place of ids. */
    async function stateOf({ post }: World, numbers: ReadonlyMap<string, number>) {
      const { reader } = own.database;
      const id = post.id;
      const rows = await reader
        .selectFrom('comments')
        .selectAll()
        .where('post_id', '=', id)
        .orderBy('number')
        .execute();
      const ids = rows.map((row) => row.id);
      expect(ids).toEqual(ids.toSorted());
      const post_row = await reader
        .selectFrom('posts')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirst();
      const notifications = await reader
        .selectFrom('notifications')
        .selectAll()
        .where('post_id', '=', post.id)
        .execute();
      const nonces = await reader
        .selectFrom('used_nonces')
        .selectAll()
        .where('place', '=', post.id)
        .execute();
      await sendStored(own.ctx, 1_000);
      const emitted = (await own.emitted()).filter(({ stream }) => stream.startsWith('u:'));
      const events = signals.map(({ d }) => (d as { event: object }).event);
      const all = { rows, post_row, notifications, nonces, emitted, events };
      const known = inNumbers(all, numbers);
      const sorted = (list: readonly unknown[]) =>
        list.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
      return {
        ...known,
        notifications: sorted(known.notifications),
        nonces: sorted(known.nonces),
      };
    }

    /** The names of the ids of a world. */
    async function numbersOf({
      garden,
      post,
      comments,
    }: World): Promise<ReadonlyMap<string, number>> {
      const rows = await own.database.reader
        .selectFrom('comments')
        .select(['id', 'number'])
        .where('post_id', '=', post.id)
        .execute();
      return new Map([
        [garden.id, -1],
        [post.channelId, -2],
        [post.id, -3],
        [post.id, -3],
        ...comments.map(({ id }, at) => [id, at + 1] as const),
        ...rows.flatMap((row) => [
          [row.id, Number(row.number)] as const,
          [row.id, Number(row.number)] as const,
        ]),
      ]);
    }

    test('[CT21][SC32] a transaction for several comments stores and answers what the same comments would one after another', async () => {
      const seed = Date.now();
      const below = randomNumbers(seed);
      let together = 0;
      for (let run = 0; run < runs(8, 4); run += 1) {
        const calls = randomCalls(below);
        const change = CHANGES[below(CHANGES.length)] ?? 'nothing';
        const one = await makeWorld();
        const { results, attempts } = await writeTogether(
          own.ctx.database,
          calls.map((call) => (database) => write({ ...own.ctx, database }, one, call)),
          { between: () => make(change, one) },
        );
        together = Math.max(together, ...attempts.map((each) => each.length));
        // What has to be read again comes later than the rest, and was refused before the transaction or goes in another order.
        const contents = attempts.flat().map((each) => (each as { draft: Call }).draft.content);
        const order = [...new Set(contents.toReversed())].toReversed();
        const rest = calls.filter(({ content }) => !order.includes(content));
        const inTurn = [...order, ...rest.map(({ content }) => content)];
        const numbers = await numbersOf(one);
        const answers = results.map((result) => answerOf(result, numbers));
        const state = await stateOf(one, numbers);
        const other = await makeWorld();
        await make(change, other);
        const after: PromiseSettledResult<Comment>[] = [];
        for (const content of inTurn) {
          const at = calls.findIndex((call) => call.content === content);
          const call = calls[at];
          if (call === undefined) throw new Error('a comment that nobody has written');
          [after[at]] = (await Promise.allSettled([write(own.ctx, other, call)])) as [
            PromiseSettledResult<Comment>,
          ];
        }
        const otherNumbers = await numbersOf(other);
        const described = { seed, run, change, calls };
        expect({ ...described, answers, state }).toEqual({
          ...described,
          answers: after.map((result) => answerOf(result, otherNumbers)),
          state: await stateOf(other, otherNumbers),
        });
      }
      expect([seed, together > 5]).toEqual([seed, true]);
    });
  });
});

/** Returns the value with numbers in place of ids. */
function inNumbers<Value>(value: Value, numbers: ReadonlyMap<string, number>): Value {
  return JSON.parse(JSON.stringify(value), (_, each: unknown) =>
    typeof each === 'string' ? (numbers.get(each) ?? each) : each,
  );
}
