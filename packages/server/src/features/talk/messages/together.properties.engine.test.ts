import { RateLimitedError, ValidationError, type ChannelMessage, type Id } from '@hearth/protocol';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { writeTogether } from '@hearth/testing/ports/write-together';
import { runs } from '@hearth/testing/runs';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import type { Account } from '../../../actor.ts';
import { withQueues, type EmittingDatabase } from '../../../ports/outbox/outbox.ts';
import { createChannel } from '../../communities/channels/create-channel.ts';
import { joinCommunity } from '../../communities/members/join-community.ts';
import { deleteChannelMessage } from './delete-message.ts';
import { listChannelMessages } from './list-messages.ts';
import { postMessage } from './post-message.ts';

/** A post of one of three people, of whom the first is a moderator. */
interface Call {
  readonly author: number;
  readonly channel: number;
  readonly nonce: string;
  /** A message that was there before, or one that was deleted. */
  readonly target: 'none' | 'kept' | 'deleted';
  readonly mention: string;
}

const CALL: fc.Arbitrary<Call> = fc.record({
  author: fc.nat({ max: 2 }),
  channel: fc.nat({ max: 2 }),
  nonce: fc.constantFrom('', '', 'a', 'b'),
  target: fc.constantFrom('none', 'none', 'none', 'kept', 'deleted'),
  mention: fc.constantFrom('', '', '@bob', '@all'),
});

/** Channels with the same messages, of which the last one has slow mode. */
interface Place {
  readonly channels: readonly Id[];
  readonly kept: readonly Id[];
  readonly deleted: readonly Id[];
}

onEachDatabase((open) => {
  describe('messages that are written together', () => {
    let own: CommunityTest;
    let people: readonly Account[];
    let garden: Id;
    let places = 0;

    beforeAll(async () => {
      own = await communityTest(open);
      const [ada, bob, eve] = [
        await own.person('ada'),
        await own.person('bob'),
        await own.person('eve'),
      ];
      people = [ada, bob, eve];
    });
    afterAll(() => own[Symbol.asyncDispose]());
    beforeEach(() => own.clock.advance(1_000));

    /** Makes channels with the same messages. */
    async function newPlace(): Promise<Place> {
      const [ada, ...others] = people;
      if (ada === undefined) throw new Error('there are no people');
      // A community has room for some dozen, and a person for some dozen communities.
      if (places % 50 === 0) {
        garden = (await own.garden(ada, { visibility: 'public' })).id;
        for (const other of others) await joinCommunity(own.ctx, other, { community_id: garden });
      }
      places += 1;
      const community_id = garden;
      const channels: Id[] = [];
      const kept: Id[] = [];
      const deleted: Id[] = [];
      for (const kind of ['one', 'two', 'slow']) {
        const given = { community_id, kind: 'messages', name: `${kind} ${places}` } as const;
        const slow = kind === 'slow' ? { slow_mode_seconds: 10 } : {};
        const { id: channel_id } = await createChannel(own.ctx, ada, { ...given, ...slow });
        channels.push(channel_id);
        kept.push((await postMessage(own.ctx, ada, { channel_id, content: 'Kept' })).id);
        const { id } = await postMessage(own.ctx, ada, { channel_id, content: 'Deleted' });
        await deleteChannelMessage(own.ctx, ada, { channel_id, id });
        deleted.push(id);
      }
      return { channels, kept, deleted };
    }

    async function post(
      { channels, kept, deleted }: Place,
      { author, channel, nonce, target, mention }: Call,
      { at, database = own.ctx.database }: { at: number; database?: EmittingDatabase },
    ): Promise<string> {
      const actor = people[author];
      const channel_id = channels[channel];
      if (actor === undefined || channel_id === undefined) throw new Error('there is nobody');
      const targets = { none: undefined, kept: kept[channel], deleted: deleted[channel] };
      const reply_to = targets[target];
      const input = { channel_id, content: `${at} ${mention}`, nonce };
      try {
        const message = await postMessage(
          { ...own.ctx, database },
          actor,
          reply_to === undefined ? input : { ...input, reply_to },
        );
        return message.content;
      } catch (error) {
        if (error instanceof ValidationError || error instanceof RateLimitedError) {
          return JSON.stringify(error.toEnvelope());
        }
        throw error;
      }
    }

    /** Returns what each channel has, in its order: who wrote what, and what it says of others. */
    async function stored({ channels }: Place) {
      const [ada] = people;
      if (ada === undefined) throw new Error('there are no people');
      return await Promise.all(
        channels.map(async (channel_id) => {
          const query = { channel_id, before: undefined, after: undefined, around: undefined };
          return (await listChannelMessages(own.ctx, ada, { ...query, limit: 100 })).toReversed();
        }),
      );
    }

    /** The number of the last event of each channel, and what its newest message says. */
    async function ends({ channels }: Place) {
      const rows = await own.database.reader
        .selectFrom('turns')
        .leftJoin('channel_messages', (join) =>
          join
            .onRef('channel_messages.channel_id', '=', 'turns.id')
            .onRef('channel_messages.id', 'like', sql`'%' || turns.last_id`),
        )
        .select(['turns.number', 'channel_messages.content'])
        .where('turns.id', 'in', channels)
        .orderBy('turns.id')
        .execute();
      return rows.map(({ number, content }) => [Number(number), content]);
    }

    const described = ({ author, content, mentions, mentions_all, reply_to }: ChannelMessage) => ({
      author,
      content,
      mentions: mentions?.map(({ username }) => username),
      all: mentions_all,
      replies: reply_to === undefined ? undefined : reply_to.excerpt,
    });

    test('[SC32][CM2] store and answer the same as one after another, in the order of their ids and times', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(CALL, { minLength: 2, maxLength: 24 }), async (calls) => {
          const [together, alone] = [await newPlace(), await newPlace()];
          const answers = await Promise.all(calls.map((call, at) => post(together, call, { at })));
          const found = await stored(together);
          const order = found.flatMap((messages) => messages.map(({ content }) => content));
          const placeOf = (at: number) => order.indexOf(answers[at] ?? '');
          const isRefused = (at: number) => answers[at]?.includes('reply_to') === true;
          const isOwn = (at: number) => answers[at]?.startsWith(`${at} `) === true;
          const all = calls.map((_, at) => at);
          // An order in which they may have come: those that are refused whatever was before, the messages that are there, and
          // then those that repeat them, or are refused because of them.
          const inOrder = [
            ...all.filter(isRefused),
            ...all.filter(isOwn).toSorted((one, other) => placeOf(one) - placeOf(other)),
            ...all.filter((at) => !isRefused(at) && !isOwn(at)),
          ];
          for (const at of inOrder) {
            const call = calls[at];
            if (call !== undefined) expect(await post(alone, call, { at })).toBe(answers[at] ?? '');
          }
          expect(found.map((messages) => messages.map(described))).toEqual(
            (await stored(alone)).map((messages) => messages.map(described)),
          );
          for (const messages of found) {
            const times = messages.map(({ created_at: createdAt }) => createdAt);
            expect(times).toEqual(times.toSorted((one, other) => one - other));
          }
          expect(await ends(together)).toEqual(await ends(alone));
        }),
        { numRuns: runs(8, 6) },
      );
    });

    const plain: Call = { author: 1, channel: 0, nonce: '', target: 'none', mention: '' };

    test('[SC45][CM11] in slow mode, a message that is refused does not refuse the next one of its author', async () => {
      const { channels, kept } = await newPlace();
      const [ada, bob] = people as [Account, Account];
      const channel_id = channels[2] ?? garden;
      const reply = { channel_id, content: 'Reply', reply_to: kept[2] ?? garden };
      const { results } = await writeTogether(
        own.ctx.database,
        [reply, { channel_id, content: 'Next' }].map(
          (input) => (database: EmittingDatabase) =>
            postMessage({ ...own.ctx, database }, bob, input),
        ),
        {
          between: async () => {
            await deleteChannelMessage(own.ctx, ada, { channel_id, id: reply.reply_to });
          },
        },
      );
      expect(results).toMatchObject([
        { reason: { data: { field_name: 'reply_to' } } },
        { value: { content: 'Next' } },
      ]);
    });

    test('[SC32][CM3] a nonce that has posted before costs the others no second attempt', async () => {
      const place = await newPlace();
      const call = { ...plain, nonce: 'one' };
      await post(place, call, { at: 0 });
      const calls = [call, { ...plain, author: 0, nonce: 'one' }, { ...plain, nonce: 'two' }, call];
      const { results, attempts } = await writeTogether(
        own.ctx.database,
        calls.map((each, at) => (database) => post(place, each, { at: at + 1, database })),
      );
      expect(attempts.map(({ length }) => length)).toEqual([4]);
      expect(results).toMatchObject(['0 ', '2 ', '3 ', '0 '].map((value) => ({ value })));
      const [messages = []] = await stored(place);
      expect(messages.map(({ content }) => content)).toEqual(['Kept', '0 ', '2 ', '3 ']);
    });

    test('[SC32] a message whose statement fails is refused alone, and the others are stored once', async () => {
      const place = await newPlace();
      const { database } = own.ctx;
      const failing = withQueues({
        ...database,
        transaction: (work, options) =>
          database.transaction((tx) => {
            const runMany: typeof tx.runMany = (statement) =>
              tx.runMany(
                JSON.stringify(statement.rows).includes('"2 @bob"') &&
                  statement.text.includes('insert into channel_messages')
                  ? { ...statement, text: 'select nothing from given' }
                  : statement,
              );
            return work({ ...tx, sql: tx.sql, runMany });
          }, options),
      });
      const calls = Array.from({ length: 6 }, () => ({ ...plain, mention: '@bob' }));
      const answers = await Promise.allSettled(
        calls.map((call, at) => post(place, call, { at, database: failing })),
      );
      expect(answers.map(({ status }) => status)).toEqual(
        calls.map((_, at) => (at === 2 ? 'rejected' : 'fulfilled')),
      );
      const [messages = []] = await stored(place);
      expect(messages.map(({ content }) => content).toSorted()).toEqual([
        ...[0, 1, 3, 4, 5].map((at) => `${at} @bob`),
        'Kept',
      ]);
    });

    test('[SC32] if it is not known whether messages were stored, all fail, and repetitions find out', async () => {
      const place = await newPlace();
      const { database } = own.ctx;
      let isLost = true;
      const losing = withQueues({
        ...database,
        async transaction(work, options) {
          const result = await database.transaction(
            work,
            options?.connection ? { connection: options.connection } : {},
          );
          if (isLost) throw Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' });
          options?.onCommit?.();
          return result;
        },
      });
      const calls = Array.from({ length: 5 }, (_, at) => ({ ...plain, nonce: `n${at}` }));
      const send = () =>
        Promise.allSettled(calls.map((call, at) => post(place, call, { at, database: losing })));
      expect((await send()).map(({ status }) => status)).toEqual(calls.map(() => 'rejected'));
      isLost = false;
      const again = await send();
      expect(again).toEqual(
        calls.map((_, at) => ({ status: 'fulfilled', value: `${at} ` }) as const),
      );
      const [messages = []] = await stored(place);
      expect(messages).toHaveLength(6);
    });
  });
});
