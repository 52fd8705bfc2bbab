import { selectChanges } from '../../../talk/index-queue/index-queue.ts';
import {
  hasTerms,
  searchTerms,
  wordSplitter,
  type ChannelMessage,
  type Id,
} from '@hearth/protocol';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { runs } from '@hearth/testing/runs';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { OWNER, type Account } from '../../../../actor.ts';
import { jsonLogger } from '../../../../log/logger.ts';
import type { Database } from '../../../../ports/database/database.ts';
import { createChannel } from '../../../communities/channels/create-channel.ts';
import { changeChannelMessage } from '../../../talk/messages/change-message.ts';
import { deleteChannelMessage } from '../../../talk/messages/delete-message.ts';
import { postMessage } from '../../../talk/messages/post-message.ts';
import { numbersIn } from '../blocks.ts';
import { indexedChannelWords, lookedUp } from '../index-words.ts';
import { PostedChannels } from '../../../talk/index-queue/posted-channels.ts';
import { rebuildSearch } from '../search.ts';
import { indexOfStored, type ChannelSizes } from './channel-blocks.ts';
import { channelCandidates } from './channel-candidates.ts';
import { ChannelIndexer } from './channel-indexer.ts';
import { MESSAGE_ENTRIES } from './entries.ts';
import { selectIndexes } from './store.ts';

const SIZES: ChannelSizes = { small: 4, large: 16, words: 16 };
const CHANNELS = 2;
const split = wordSplitter();

// The last two have other orders in JavaScript and in databases.
const WORDS = ['oak', 'oaken', 'elm', 'fir', 'ash', 'yew', 'alder', '\ufa0e', '\u{20bb7}'];
const QUERIES = ['oak', 'oa', '"elm"', 'oak elm', 'rare3', 'rare', '"\ufa0e"', '\u{20bb7}', 'none'];

/** A text that depends on a number alone. */
function textOf(seed: number): string {
  const common = WORDS.filter((_, at) => (seed * 2_654_435_761) & (1 << (at + 3)));
  return ['tree', ...common, `rare${seed % 40}`].join(' ');
}

type Change = {
  readonly type: 'edit' | 'remove';
  readonly channel: number;
  readonly share: number;
};

type Command =
  | Change
  | { readonly type: 'post'; readonly channel: number; readonly count: number }
  | { readonly type: 'index' | 'together'; readonly steps: number }
  | { readonly type: 'rebuild' }
  | {
      readonly type: 'search';
      readonly channel: number;
      readonly q: string;
      /** What happens while the search is under way: one after each part that it has read. */
      readonly meanwhile: readonly Command[];
    };

const channel = fc.nat({ max: CHANNELS - 1 });
const change = fc.record({
  type: fc.constantFrom('edit' as const, 'remove' as const),
  channel,
  share: fc.double({ min: 0, max: 0.999, noNaN: true }),
});
const steps = fc.integer({ min: 1, max: 30 });
const index = fc.record({ type: fc.constant('index' as const), steps });
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('post' as const),
      channel,
      count: fc.integer({ min: 1, max: 12 }),
    }),
  },
  { weight: 3, arbitrary: change },
  { weight: 3, arbitrary: index },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('together' as const), steps }) },
  { weight: 1, arbitrary: fc.constant({ type: 'rebuild' as const }) },
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant('search' as const),
      channel,
      q: fc.constantFrom(...QUERIES),
      meanwhile: fc.array(fc.oneof(change, index), { maxLength: 6 }),
    }),
  },
);

/** Messages of some channels, and what of them an index of small blocks has. */
class Model {
  readonly #own: CommunityTest;
  readonly #second: Database;
  readonly #ada: Account;
  readonly #channels: readonly Id[];
  /** The messages of each channel, the oldest first. */
  readonly #messages: ChannelMessage[][] = Array.from({ length: CHANNELS }, () => []);
  #seed = 0;

  constructor(
    own: CommunityTest,
    given: { second: Database; ada: Account; channels: readonly Id[] },
  ) {
    this.#own = own;
    this.#second = given.second;
    this.#ada = given.ada;
    this.#channels = given.channels;
  }

  async run(next: Command): Promise<void> {
    switch (next.type) {
      case 'post':
        return this.#post(next);
      case 'edit':
      case 'remove':
        return this.#change(next);
      case 'index':
        return this.index(next.steps);
      case 'together': {
        await Promise.all([this.index(next.steps), this.index(next.steps, this.#second)]);
        return;
      }
      case 'rebuild':
        return rebuildSearch(this.#own.ctx, OWNER);
      case 'search':
        return this.#search(next);
    }
  }

  /** Indexes until it is killed after so many steps. */
  async index(count = Infinity, database: Database = this.#own.database): Promise<void> {
    const log = jsonLogger('error', (line) => expect(line).toBe(''));
    const { clock } = this.#own;
    let left = count;
    const pause = async () => {
      left -= 1;
      if (left === 0) void indexer[Symbol.asyncDispose]();
    };
    const given = { database, clock, log, pause, posted: new PostedChannels(), sizes: SIZES };
    await using indexer = new ChannelIndexer(given);
    await indexer.run();
  }

  async #post({ channel: at, count }: { channel: number; count: number }): Promise<void> {
    for (let done = 0; done < count; done += 1) {
      const given = { channel_id: this.#channel(at), content: textOf((this.#seed += 1)) };
      this.#all(at).push(await postMessage(this.#own.ctx, this.#ada, given));
    }
  }

  async #change({ type, channel: at, share }: Change): Promise<void> {
    const messages = this.#all(at);
    const index = Math.floor(share * messages.length);
    const message = messages[index];
    if (message === undefined) return;
    const given = { channel_id: this.#channel(at), id: message.id };
    if (type === 'remove') {
      await deleteChannelMessage(this.#own.ctx, this.#ada, given);
      messages.splice(index, 1);
    } else {
      const content = textOf((this.#seed += 1));
      messages[index] = await changeChannelMessage(this.#own.ctx, this.#ada, { ...given, content });
    }
  }

  async #search({ channel: at, q, meanwhile }: Command & { type: 'search' }): Promise<void> {
    const { database } = this.#own;
    const { reader } = database;
    const channelId = this.#channel(at);
    const newestId = this.#all(at).at(-1)?.id;
    if (newestId === undefined) return;
    const terms = searchTerms(q, split);
    const matching = () =>
      this.#all(at)
        .filter(({ content }) => hasTerms(content, terms, split))
        .map(({ id }) => id);
    // Those that have what is searched all the time. Others may be found or not.
    let always = matching();
    const changes = await selectChanges(reader, [channelId], 10_000);
    const hunt = {
      ...{ database, channelId, kind: MESSAGE_ENTRIES, newestId, sizes: SIZES, page: 3 },
      index: (await selectIndexes(reader, [channelId])).get(channelId),
      changed: changes.map(({ id }) => id),
      lookedUp: lookedUp({ terms, from: undefined, has: undefined }),
      ...{ after: undefined, before: undefined },
    };
    const found: Id[] = [];
    const left = [...meanwhile];
    for await (const { entries } of channelCandidates(hunt)) {
      found.push(...entries.filter(({ text }) => hasTerms(text, terms, split)).map(({ id }) => id));
      const next = left.shift();
      if (next === undefined) continue;
      await this.run(next);
      const now = new Set(matching());
      always = always.filter((id) => now.has(id));
    }
    const isMeant = (id: Id) => meanwhile.length === 0 || always.includes(id);
    expect(found.filter(isMeant)).toEqual(always.toReversed());
  }

  /** Each word is in the block that searches read, and nothing else is. */
  async check(): Promise<void> {
    const { reader } = this.#own.database;
    for (const [at, channelId] of this.#channels.entries()) {
      const rows = await reader
        .selectFrom('channel_words')
        .selectAll()
        .where('channel_id', '=', channelId)
        .execute();
      const has = rows.flatMap((row) => {
        const size = Number(row.block) < 0 ? SIZES.large : SIZES.small;
        const block = { size, index: indexOfStored(Number(row.block)) };
        return numbersIn(row.hits, block).map((number) => `${number} ${size} ${row.word}`);
      });
      const numbers = await reader
        .selectFrom('channel_index_numbers')
        .select(['message_id', 'number'])
        .where('channel_id', '=', channelId)
        .orderBy('number')
        .execute();
      const messages = this.#all(at);
      expect(numbers).toHaveLength(messages.length);
      const last = (await selectIndexes(reader, [channelId])).get(channelId)?.lastNumber ?? 0;
      const merged = last - (last % SIZES.large);
      const should = numbers.flatMap((row, index) => {
        const [number, message] = [Number(row.number), messages[index]];
        if (message === undefined) return [];
        const size = number <= merged ? SIZES.large : SIZES.small;
        const entry = {
          userId: this.#ada.user_id,
          text: message.content,
          files: [],
          mark: undefined,
        };
        return [...indexedChannelWords(entry, split)].map((word) => `${number} ${size} ${word}`);
      });
      expect(has.toSorted()).toEqual(should.toSorted());
    }
  }

  #channel(at: number): Id {
    return this.#channels[at] ?? expect.unreachable();
  }

  #all(at: number): ChannelMessage[] {
    return this.#messages[at] ?? expect.unreachable();
  }
}

onEachDatabase((open) => {
  describe('blocks of the indexes of channels', () => {
    let own: CommunityTest;
    let second: Database;
    let people = 0;

    beforeAll(async () => {
      let opened: Awaited<ReturnType<typeof open>> | undefined;
      own = await communityTest(async () => (opened = await open()));
      second = (await opened?.openAgain()) ?? expect.unreachable();
    });
    afterAll(async () => {
      await second[Symbol.asyncDispose]();
      await own[Symbol.asyncDispose]();
    });

    /** One with a full large block, another to merge, and three messages after them. */
    const begin = async () => {
      people += 1;
      const ada = await own.person(`ada${people}`);
      const garden = await own.garden(ada);
      const channels: Id[] = [];
      for (let at = 0; at < CHANNELS; at += 1) {
        const given = { community_id: garden.id, kind: 'messages', name: `trees-${at}` } as const;
        channels.push((await createChannel(own.ctx, ada, given)).id);
      }
      const model = new Model(own, { second, ada, channels });
      await model.run({ type: 'post', channel: 0, count: 2 * SIZES.large + 3 });
      return model;
    };

    test('[SE23][SE23a] a search under way finds everything, whatever the indexer does after each step', async () => {
      const model = await begin();
      const search = (...meanwhile: readonly Command[]) =>
        model.run({ type: 'search', channel: 0, q: 'tree', meanwhile });
      // All small blocks are full, and none is merged.
      await model.index(2);
      await search({ type: 'index', steps: 20 });
      await model.index();
      for (let steps = 1; steps <= 7; steps += 1) {
        await search({ type: 'edit', channel: 0, share: 0 }, { type: 'index', steps });
        await model.index();
      }
      await model.check();
      await search({ type: 'rebuild' }, { type: 'index', steps: 9 });
      await model.index();
      await model.check();
    });

    test('[SE17][SE23] whatever was merged, edited, interrupted or done twice, searches find what there is, and the index has no more', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 25 }), async (commands) => {
          const model = await begin();
          for (const each of commands) await model.run(each);
          await model.index();
          await model.check();
        }),
        { numRuns: runs(3, 1) },
      );
    }, 120_000);
  });
});
