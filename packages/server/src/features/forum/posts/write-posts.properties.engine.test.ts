import { ProtocolError, type ChannelMessage, type Id, type Post } from '@hearth/protocol';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { writeTogether } from '@hearth/testing/ports/write-together';
import { runs } from '@hearth/testing/runs';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { Account } from '../../../actor.ts';
import type { InstanceContext } from '../../../instance-context.ts';
import { changeChannel, deleteChannel } from '../../communities/channels/change-channel.ts';
import { createChannel } from '../../communities/channels/create-channel.ts';
import { joinCommunity } from '../../communities/members/join-community.ts';
import { leaveCommunity } from '../../communities/members/leave-community.ts';
import { deleteChannelMessage } from '../../talk/messages/delete-message.ts';
import { postMessage } from '../../talk/messages/post-message.ts';
import { sendStored } from '../../talk/notifications/send-notifications.ts';
import { createPost } from './create-post.ts';

const PEOPLE = ['ada', 'bob', 'cat', 'dan'] as const;

/** People who stay: the people whom a post mentions are found out before it is written. */
const MENTIONED = ['ada', 'cat', 'dan', 'all'];

type Name = (typeof PEOPLE)[number];

/** A post of somebody. */
interface Call {
  readonly by: Name;
  readonly title: string;
  readonly content: string | undefined;
  readonly url: string | undefined;
  readonly isTagged: boolean;
  readonly hasPoll: boolean;
  /** Which of the messages that are there becomes the post. */
  readonly from: number | undefined;
  readonly nonce: string | undefined;
}

/** Changes after the callers have found out what they may do. */
const CHANGES = [
  'nothing',
  'nothing',
  'leave',
  'rename',
  'slow down',
  'delete the tag',
  'delete a message',
  'show no cards',
  'delete the channel of the cards',
] as const;

type Change = (typeof CHANGES)[number];

/** A channel with posts, whose cards are shown in a channel with some messages. */
interface World {
  readonly garden: Id;
  readonly channel: Id;
  readonly talk: Id;
  readonly tag: Id;
  readonly messages: readonly ChannelMessage[];
}

/** A kind of channel. */
interface Kind {
  readonly hasCards: boolean;
  readonly isSlow: boolean;
}

function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function randomCalls(below: (most: number) => number): readonly Call[] {
  return Array.from({ length: 2 + below(12) }, (_, at) => {
    const isTagged = below(3) === 0;
    const from = below(3) === 0 ? below(3) : undefined;
    // A post that is refused because of its tag or its message leaves its nonce to another one, which may come before or after.
    const hasNonce = !isTagged && from === undefined && below(2) === 0;
    return {
      by: PEOPLE[below(PEOPLE.length)] ?? 'ada',
      title: `Number ${at}`,
      content: below(2) === 0 ? undefined : `For @${MENTIONED[below(MENTIONED.length)]}`,
      url: below(4) === 0 ? `https://${['a', 'b'][below(2)]}.example/` : undefined,
      isTagged,
      hasPoll: below(4) === 0,
      from,
      nonce: hasNonce ? `nonce ${below(2)}` : undefined,
    };
  });
}

onEachDatabase((open) => {
  describe('posts that are written together', () => {
    let own: CommunityTest;
    const people = new Map<Name, Account>();

    const person = (name: Name): Account => {
      const found = people.get(name);
      if (found === undefined) throw new Error(`there is no ${name}`);
      return found;
    };

    beforeAll(async () => {
      own = await communityTest(open);
      for (const name of PEOPLE) people.set(name, await own.person(name));
    });
    afterAll(() => own[Symbol.asyncDispose]());
    beforeEach(() => own.clock.advance(1_000));

    async function makeWorld({ hasCards, isSlow }: Kind): Promise<World> {
      const ada = person('ada');
      const { id: community_id } = await own.garden(ada, { visibility: 'public', join: 'open' });
      for (const name of PEOPLE.slice(1)) {
        await joinCommunity(own.ctx, person(name), { community_id });
      }
      const make = (kind: 'posts' | 'messages') =>
        createChannel(own.ctx, ada, { community_id, kind, name: kind });
      const [{ id: channel }, { id: talk }] = [await make('posts'), await make('messages')];
      const { tags = [] } = await changeChannel(own.ctx, ada, {
        id: channel,
        tags: [{ name: 'tag' }],
        ...(hasCards && { card_channel_ids: [talk] }),
        ...(isSlow && { slow_mode_seconds: 60 }),
      });
      const messages: ChannelMessage[] = [];
      for (const name of PEOPLE.slice(1)) {
        const content = `Of ${name}`;
        messages.push(await postMessage(own.ctx, person(name), { channel_id: talk, content }));
      }
      await own.emitted();
      return { garden: community_id, channel, talk, tag: tags[0]?.id ?? channel, messages };
    }

    async function make(change: Change, world: World): Promise<void> {
      const ada = person('ada');
      const { garden, channel: id, talk, messages } = world;
      switch (change) {
        case 'nothing':
          return;
        case 'leave':
          await leaveCommunity(own.ctx, person('bob'), { community_id: garden });
          return;
        case 'rename':
          await changeChannel(own.ctx, ada, { id, name: 'other' });
          return;
        case 'slow down':
          await changeChannel(own.ctx, ada, { id, slow_mode_seconds: 30 });
          return;
        case 'delete the tag':
          await changeChannel(own.ctx, ada, { id, tags: [] });
          return;
        case 'delete a message':
          await deleteChannelMessage(own.ctx, ada, {
            channel_id: talk,
            id: messages[1]?.id ?? talk,
          });
          return;
        case 'show no cards':
          await changeChannel(own.ctx, ada, { id, card_channel_ids: [] });
          return;
        case 'delete the channel of the cards':
          await deleteChannel(own.ctx, ada, { id: talk });
      }
    }

    const write = (ctx: InstanceContext, world: World, call: Call) =>
      createPost(ctx, person(call.by), {
        channel_id: world.channel,
        title: call.title,
        ...(call.content !== undefined && { content: call.content }),
        ...(call.url !== undefined && { url: call.url }),
        ...(call.isTagged && { tag_ids: [world.tag] }),
        ...(call.hasPoll && {
          poll: { options: ['Yes', 'No'], ends_at: own.clock.unixMs() + 3_600_000 },
        }),
        ...(call.from !== undefined && {
          from_message: { channel_id: world.talk, id: world.messages[call.from]?.id ?? world.talk },
        }),
        ...(call.nonce !== undefined && { nonce: call.nonce }),
      });

    /** Returns the answer to a call, with names in place of ids. */
    function answerOf(
      result: PromiseSettledResult<Post>,
      names: ReadonlyMap<string, string>,
    ): unknown {
      if (result.status === 'fulfilled') return named(result.value, names);
      const { reason } = result;
      return reason instanceof ProtocolError ? [reason.name, reason.data] : String(reason);
    }

    /** The rows of a table that belong to a channel. */
    const rowsOf = async (
      table: 'posts' | 'post_tags' | 'polls' | 'channel_mentions' | 'channel_paces' | 'read_states',
      channel: Id,
    ) => {
      const rows = own.database.reader.selectFrom(table).selectAll();
      return await rows.where('channel_id', '=', channel).execute();
    };

    /** Everything that is stored and sent, with names in place of ids. */
    async function stateOf({ channel, talk }: World, names: ReadonlyMap<string, string>) {
      const { reader } = own.database;
      const posts = await reader
        .selectFrom('posts')
        .selectAll()
        .where('channel_id', '=', channel)
        .orderBy('id')
        .execute();
      const times = posts.map((row) => Number(row.created_at_ms));
      expect(times).toEqual(times.toSorted((one, other) => one - other));
      const said = await reader
        .selectFrom('channel_messages')
        .selectAll()
        .where('channel_id', '=', talk)
        .orderBy('id')
        .execute();
      const channels = await reader
        .selectFrom('turns')
        .select(['id', 'number', 'last_id', 'last_at_ms'])
        .where('id', 'in', [channel, talk])
        .execute();
      const uses = await reader
        .selectFrom('link_preview_uses')
        .selectAll()
        .where('channel_id', '=', channel)
        .execute();
      const notifications = await reader
        .selectFrom('notifications')
        .selectAll()
        .where('channel_id', '=', channel)
        .execute();
      const nonces = await reader
        .selectFrom('used_nonces')
        .selectAll()
        .where('place', '=', channel)
        .execute();
      const others: unknown[] = [];
      for (const table of [
        'post_tags',
        'polls',
        'channel_mentions',
        'channel_paces',
        'read_states',
      ] as const) {
        others.push(...(await rowsOf(table, channel)).map((row) => [table, row]));
      }
      await sendStored(own.ctx, 1_000);
      // Events are in the order of their subjects, whose ids differ.
      const emitted = Map.groupBy(await own.emitted(), ({ stream, event }) =>
        event !== undefined && 'channel_id' in event.d ? event.d.channel_id : stream,
      );
      const inOrder = named({ posts, said, emitted: [...emitted].toSorted() }, names);
      const rows = [...channels, ...uses, ...notifications, ...nonces, ...others];
      const sorted = rows.map((row) => JSON.stringify(named(row, names))).toSorted();
      return { posts: inOrder.posts, said: inOrder.said, emitted: inOrder.emitted, sorted };
    }

    /** The names of the ids of a world: in ids that sort, too. */
    async function namesOf(world: World): Promise<ReadonlyMap<string, string>> {
      const { garden, channel, talk, tag, messages } = world;
      const idsIn = async (table: 'posts' | 'channel_messages', place: Id) => {
        const rows = own.database.reader.selectFrom(table).select('id');
        return await rows.where('channel_id', '=', place).orderBy('id').execute();
      };
      const names = new Map<string, string>([
        [garden, 'garden'],
        [`c:${garden}`, 'stream'],
        [channel, 'channel'],
        [talk, 'talk'],
        [tag, 'tag'],
        [JSON.stringify([tag]), 'tags'],
        ...messages.map(({ id }, at) => [id, `message ${at}`] as const),
      ]);
      for (const [table, place] of [
        ['posts', channel],
        ['channel_messages', talk],
      ] as const) {
        for (const [at, { id }] of (await idsIn(table, place)).entries()) {
          names.set(id, `${table} ${at}`);
        }
      }
      return names;
    }

    test('[SC45][SC32] a transaction for several posts stores and answers what the same posts would one after another', async () => {
      const seed = Date.now();
      const below = randomNumbers(seed);
      let together = 0;
      for (let run = 0; run < runs(12, 3); run += 1) {
        const calls = randomCalls(below);
        const change = CHANGES[below(CHANGES.length)] ?? 'nothing';
        const kind = { hasCards: below(2) === 0, isSlow: below(4) === 0 };
        const one = await makeWorld(kind);
        const { results, attempts } = await writeTogether(
          own.ctx.database,
          calls.map((call) => (database) => write({ ...own.ctx, database }, one, call)),
          { between: () => make(change, one) },
        );
        together = Math.max(together, ...attempts.map((each) => each.length));
        const titles = attempts.map((each) =>
          each.map((call) => (call as { draft: Call }).draft.title),
        );
        const order = orderOf(titles);
        // What was refused before the transaction.
        const rest = calls.filter(({ title }) => !order.includes(title));
        const inTurn = [...order, ...rest.map(({ title }) => title)];
        const names = await namesOf(one);
        const answers = results.map((result) => answerOf(result, names));
        const state = await stateOf(one, names);
        const other = await makeWorld(kind);
        await make(change, other);
        const after: PromiseSettledResult<Post>[] = [];
        for (const title of inTurn) {
          const at = calls.findIndex((call) => call.title === title);
          const call = calls[at];
          if (call === undefined) throw new Error('a post that nobody has written');
          [after[at]] = (await Promise.allSettled([write(own.ctx, other, call)])) as [
            PromiseSettledResult<Post>,
          ];
        }
        const otherNames = await namesOf(other);
        const described = { seed, run, change, kind, calls };
        expect({ ...described, answers, state }).toEqual({
          ...described,
          answers: after.map((result) => answerOf(result, otherNames)),
          state: await stateOf(other, otherNames),
        });
      }
      expect([seed, together > 5]).toEqual([seed, true]);
    });
  });
});

/** An order in which posts may have come that transactions were for: what one of them refused came after what it had accepted before. */
function orderOf(attempts: readonly (readonly string[])[]): readonly string[] {
  const order: string[] = [];
  for (const attempt of attempts.toReversed()) {
    let place = 0;
    for (const title of attempt) {
      const known = order.indexOf(title);
      if (known === -1) order.splice(place, 0, title);
      else place = known;
      place += 1;
    }
  }
  return order;
}

/** Returns the value with names in place of ids. */
function named<Value>(value: Value, names: ReadonlyMap<string, string>): Value {
  return JSON.parse(JSON.stringify(value), (_, each: unknown) =>
    typeof each === 'string' ? (names.get(each) ?? each) : each,
  );
}
