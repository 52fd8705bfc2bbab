import {
  hasTerms,
  parseId,
  searchTerms,
  wordSplitter,
  type ChannelMessage,
  type Id,
} from '@hearth/protocol';
import { communityTest, type CommunityTest } from '@hearth/testing/communities';
import { indexSearch, wordsInIndex } from '@hearth/testing/instances/index-search';
import { runs } from '@hearth/testing/runs';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { OWNER, type Account } from '../../../actor.ts';
import type { InstanceContext } from '../../../instance-context.ts';
import type { Database } from '../../../ports/database/database.ts';
import { createChannel } from '../../communities/channels/create-channel.ts';
import { NamedFiles } from '../../files/uploads/named-files.ts';
import { changeChannelMessage } from '../../talk/messages/change-message.ts';
import { deleteChannelMessage } from '../../talk/messages/delete-message.ts';
import { postMessage } from '../../talk/messages/post-message.ts';
import { indexedWords } from './index-words.ts';
import { rebuildSearch, search } from './search.ts';

/** Blocks of few entries, so that some are full, and some are more than full. */
const SIZES = { full: 8, most: 12 };
const CHANNELS = 2;
const split = wordSplitter();

// The last two have other orders in JavaScript and in databases.
const WORDS = ['oak', 'oaken', 'elm', 'fir', 'ash', 'yew', 'alder', '\ufa0e', '\u{20bb7}'];
const QUERIES = [
  ...['oak', 'oa', '"elm"', 'oak elm', 'rare3', 'rare', '"\ufa0e"', '\u{20bb7}', 'none'],
  ...['"oak elm"', '"tree fir ash"', '"yew tree"'],
];

/** A text that depends on a number alone. */
function textOf(seed: number): string {
  const common = WORDS.filter((_, at) => (seed * 2_654_435_761) & (1 << (at + 3)));
  return ['tree', ...common, `rare${seed % 40}`].join(' ');
}

type Change = {
  readonly type: 'edit' | 'remove';
  readonly share: number;
};

type Command =
  | Change
  | {
      readonly type: 'post';
      readonly channel: number;
      readonly count: number;
      /** True if the ids are less than that of the newest message in another channel. */
      readonly isLate: boolean;
    }
  | { readonly type: 'index' | 'together'; readonly steps: number }
  | { readonly type: 'rebuild' }
  | { readonly type: 'search'; readonly channel: number | undefined; readonly q: string };

const channel = fc.nat({ max: CHANNELS - 1 });
const steps = fc.integer({ min: 1, max: 6 });
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('post' as const),
      channel,
      count: fc.integer({ min: 1, max: 12 }),
      isLate: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constantFrom('edit' as const, 'remove' as const),
      share: fc.double({ min: 0, max: 0.999, noNaN: true }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('index' as const), steps }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('together' as const), steps }) },
  { weight: 1, arbitrary: fc.constant({ type: 'rebuild' as const }) },
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant('search' as const),
      channel: fc.option(channel, { nil: undefined }),
      q: fc.constantFrom(...QUERIES),
    }),
  },
);

interface Given {
  readonly second: Database;
  readonly ada: Account;
  readonly garden: Id;
  readonly channels: readonly Id[];
}

/** Messages of some channels, and what of them an index of small blocks has. */
class Model {
  readonly #own: CommunityTest;
  readonly #given: Given;
  readonly #ctx: InstanceContext;
  /** The messages of all channels, the oldest first. */
  #messages: ChannelMessage[] = [];
  #seed = 0;

  constructor(own: CommunityTest, given: Given) {
    this.#own = own;
    this.#given = given;
    const files = { database: own.ctx.database, fileAddresses: [] };
    this.#ctx = { ...own.ctx, namedFiles: new NamedFiles(files) };
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
        const { second } = this.#given;
        await Promise.all([this.index(next.steps), this.index(next.steps, second)]);
        return;
      }
      case 'rebuild':
        return rebuildSearch(this.#ctx, OWNER);
      case 'search':
        return this.#search(next);
    }
  }

  /** Indexes until it is killed after so many steps. */
  index(count = Infinity, database: Database = this.#own.database): Promise<void> {
    return indexSearch({ database, clock: this.#own.clock }, { steps: count, sizes: SIZES });
  }

  async #post({ channel: at, count, isLate }: Command & { type: 'post' }): Promise<void> {
    const channel_id = this.#channel(at);
    for (let done = 0; done < count; done += 1) {
      const content = textOf((this.#seed += 1));
      const next = isLate ? this.#idBefore(channel_id) : undefined;
      const ids = next && { ids: { ...this.#ctx.ids, next: async () => next } };
      const ctx = { ...this.#ctx, ...ids };
      this.#messages.push(await postMessage(ctx, this.#given.ada, { channel_id, content }));
    }
    this.#messages.sort((one, other) => (BigInt(one.id) < BigInt(other.id) ? -1 : 1));
  }

  /** An id after all of a channel and before the newest one of all, unless there is none. */
  #idBefore(channelId: Id): Id | undefined {
    const ids = this.#messages.map(({ id }) => BigInt(id));
    const own = this.#messages.findLast((message) => message.channel_id === channelId);
    const next = own === undefined ? (ids[0] ?? 1n) - 1n : BigInt(own.id) + 1n;
    const isFree = !ids.includes(next) && ids.some((id) => id > next);
    return isFree ? parseId(String(next)) : undefined;
  }

  async #change({ type, share }: Change): Promise<void> {
    const index = Math.floor(share * this.#messages.length);
    const message = this.#messages[index];
    if (message === undefined) return;
    const { id, channel_id } = message;
    if (type === 'remove') {
      await deleteChannelMessage(this.#ctx, this.#given.ada, { channel_id, id });
      this.#messages.splice(index, 1);
    } else {
      const given = { channel_id, id, content: textOf((this.#seed += 1)) };
      this.#messages[index] = await changeChannelMessage(this.#ctx, this.#given.ada, given);
    }
  }

  async #search({ channel: at, q }: Command & { type: 'search' }): Promise<void> {
    const place = at === undefined ? undefined : this.#channel(at);
    const terms = searchTerms(q, split);
    const expected = this.#messages
      .filter(({ channel_id: id }) => place === undefined || id === place)
      .filter(({ content }) => hasTerms(content, terms, split))
      .map(({ id }) => id)
      .toReversed();
    const found = await this.#found(q, place);
    expect(found).toEqual(expected.filter((id) => found.includes(id)));
    await this.index();
    expect(await this.#found(q, place)).toEqual(expected);
  }

  async #found(q: string, place: Id | undefined): Promise<readonly Id[]> {
    const where = place === undefined ? { community: this.#given.garden } : { in: place };
    const found: Id[] = [];
    for (let before: Id | undefined; ;) {
      const query = { kind: 'messages', q, before, limit: 7, ...where } as const;
      const page = await search(this.#ctx, this.#given.ada, query);
      found.push(...page.found.map(({ id }) => id));
      before = page.found.length === 7 ? found.at(-1) : page.stoppedAt;
      if (before === undefined) return found;
    }
  }

  /** Each entry has its words in the index, and nothing else is there. */
  async check(): Promise<void> {
    const indexed = await wordsInIndex(this.#own.database);
    const should = this.#messages.map(({ channel_id: placeId, content: text }) => {
      const { ada, garden } = this.#given;
      const entry = { placeId, userId: ada.user_id, text, author: '', files: [] };
      const words = indexedWords({ kind: 'messages', ...entry }, garden, split(text));
      return [...words.keys()].toSorted().join();
    });
    const ofPlace = new Set(this.#given.channels.map((id) => `:in${id}`));
    const has = indexed.filter((each) => each.some((word) => ofPlace.has(word)));
    expect(has.map((each) => each.join()).toSorted()).toEqual(should.toSorted());
    expect(indexed.filter((each) => !each.some((word) => word.startsWith(':in')))).toEqual([]);
  }

  #channel(at: number): Id {
    return this.#given.channels[at] ?? expect.unreachable();
  }
}

onEachDatabase((open) => {
  describe('the search index', () => {
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

    test('[SE2][SE17][SE17a][SE22][SE23] whatever was posted late, edited, interrupted, rebuilt or done twice, searches find what there is, and the index has no more', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 25 }), async (commands) => {
          people += 1;
          const ada = await own.person(`ada${people}`);
          const { id: garden } = await own.garden(ada);
          const channels: Id[] = [];
          for (let at = 0; at < CHANNELS; at += 1) {
            const given = { community_id: garden, kind: 'messages', name: `trees-${at}` } as const;
            channels.push((await createChannel(own.ctx, ada, given)).id);
          }
          const model = new Model(own, { second, ada, garden, channels });
          await model.run({ type: 'post', channel: 0, count: 2 * SIZES.full + 3, isLate: false });
          for (const each of commands) await model.run(each);
          await model.index();
          await model.check();
        }),
        { numRuns: runs(3, 4) },
      );
    }, 120_000);
  });
});
