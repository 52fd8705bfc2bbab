import {
  compareIds,
  foldText,
  formatId,
  hasTerms,
  searchTerms,
  wordSplitter,
  type Id,
  type LobbyMessage,
  type SearchedContent,
} from '@hearth/protocol';
import { type FakeClock, fakeClock } from '@hearth/testing/fake-clock';
import { indexSearch } from '@hearth/testing/instances/index-search';
import { runs } from '@hearth/testing/runs';
import { onEachDatabase, type TestDatabase } from '@hearth/testing/servers/each-database';
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { ANYONE, OWNER } from '../../../actor.ts';
import type { InstanceContext } from '../../../instance-context.ts';
import { jsonLogger } from '../../../log/logger.ts';
import { ownerOutbox } from '../../../ports/outbox/outbox.ts';
import { openHistory, type History } from '../../talk/lobby/history.ts';
import { eraseMessage, lockMessage, replaceMessage } from '../../talk/lobby/changes/store.ts';
import { noteChanged } from '../../talk/index-queue/index-queue.ts';
import { NamedFiles } from '../../files/uploads/named-files.ts';
import { LOBBY } from '../../talk/places/places.ts';
import { rebuildSearch, search } from './search.ts';
import type { SearchInput } from './wanted.ts';

const log = jsonLogger('silent', () => {});
const split = wordSplitter();
const DAY_MS = 86_400_000;
const BOUNDS = { messages: 4_000, days: 30 };
const AUTHORS = ['ada', 'Ada', 'Bob Ross', 'eve\0'] as const;

// Few words, so that they occur together; the last ones are rare, and the first begin alike.
const COMMON = ['good', 'goodness', 'evening', 'Évening', 'x'.repeat(60), 'é', '東京都', 'the'];
const RARE = Array.from({ length: 200 }, (_, index) => `rare${index}`);

/** A text that depends on a number alone. */
function textOf(seed: number): string {
  const common = Array.from({ length: 3 }, (_, index) => COMMON[(seed * 7 + index * seed) % 8]);
  return [...common, RARE[seed % 200], seed % 11 === 0 ? 'https://example.com' : '!'].join(' ');
}

type Command =
  | { readonly type: 'append'; readonly count: number }
  | { readonly type: 'flush' | 'index' | 'rebuild' | 'reopen' }
  | { readonly type: 'pass'; readonly ms: number }
  | { readonly type: 'remove' | 'edit'; readonly share: number }
  | { readonly type: 'search'; readonly query: Query };

interface Query {
  readonly q: string;
  readonly from: string | undefined;
  readonly has: SearchedContent | undefined;
  readonly afterShare: number | undefined;
  readonly beforeShare: number | undefined;
  readonly limit: number;
}

const share = fc.double({ min: 0, max: 1, noNaN: true });
const word = fc.constantFrom(...COMMON, 'goo', 'EVEN', 'x'.repeat(45), 'rare7', 'rare', 'nothing');
const query: fc.Arbitrary<Query> = fc
  .record({
    words: fc.array(word, { minLength: 1, maxLength: 3 }),
    isQuoted: fc.boolean(),
    from: fc.option(fc.constantFrom('ADA', 'bob ross', 'eve', 'nobody'), {
      nil: undefined,
      freq: 4,
    }),
    has: fc.option(fc.constant('link' as const), { nil: undefined, freq: 4 }),
    afterShare: fc.option(share, { nil: undefined }),
    beforeShare: fc.option(share, { nil: undefined }),
    limit: fc.integer({ min: 1, max: 100 }),
  })
  .map(({ words, isQuoted, ...rest }) => {
    return { q: isQuoted ? `"${words.join(' ')}"` : words.join(' '), ...rest };
  });
const one = <Type extends string>(type: Type) => fc.constant({ type });
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('append' as const),
      count: fc.constantFrom(1, 5, 300, 1_024, 1_500),
    }),
  },
  { weight: 2, arbitrary: one('flush') },
  { weight: 5, arbitrary: one('index') },
  { weight: 1, arbitrary: one('rebuild') },
  { weight: 1, arbitrary: one('reopen') },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('pass' as const),
      ms: fc.constantFrom(1_000, DAY_MS, 20 * DAY_MS),
    }),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('remove' as const), share }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('edit' as const), share }) },
  { weight: 12, arbitrary: fc.record({ type: fc.constant('search' as const), query }) },
);

/** Some messages are indexed, and many are not yet. Soon after the larger number, a block of the largest size is full. */
const begin = fc
  .constantFrom(1_500, 1_500, 1_500, 7_800)
  .map((count): readonly Command[] => [
    { type: 'append', count },
    { type: 'flush' },
    { type: 'index' },
    { type: 'append', count: 540 },
  ]);

/** A history that is searched, and what the specification says about it. */
class Model {
  readonly #database: TestDatabase;
  readonly #clock: FakeClock;
  readonly #appended: LobbyMessage[] = [];
  readonly #removed = new Set<Id>();
  #history: History;

  constructor(parts: { database: TestDatabase; clock: FakeClock; history: History }) {
    this.#database = parts.database;
    this.#clock = parts.clock;
    this.#history = parts.history;
  }

  async run(next: Command): Promise<void> {
    switch (next.type) {
      case 'append':
        for (let i = 0; i < next.count; i += 1) this.#append();
        return;
      case 'flush':
        return this.#history.flush();
      case 'index':
        return this.#index();
      case 'rebuild':
        return rebuildSearch(this.#context(), OWNER);
      case 'reopen':
        return this.#reopen();
      case 'pass':
        return this.#clock.halt(next.ms);
      case 'remove':
        return this.#remove(next.share);
      case 'edit':
        return this.#edit(next.share);
      case 'search':
        return this.#search(next.query);
    }
  }

  end(): Promise<void> {
    return this.#history[Symbol.asyncDispose]();
  }

  #append(): void {
    const seed = this.#appended.length;
    const id = formatId({ seconds: 1_000 + seed, instanceId: 7, sequence: 0 });
    const author = AUTHORS[seed % AUTHORS.length] ?? '';
    const message = { id, author, content: textOf(seed), created_at: this.#clock.unixMs() };
    this.#appended.push(message);
    this.#history.append(message);
  }

  #index(): Promise<void> {
    return indexSearch({ database: this.#database, clock: this.#clock });
  }

  async #reopen(): Promise<void> {
    await this.#history[Symbol.asyncDispose]();
    this.#history = await opened(this.#database, this.#clock);
  }

  async #remove(at: number): Promise<void> {
    const message = this.#at(at);
    await this.#history.flush();
    if (message === undefined) return;
    const isRemoved = await this.#database.transaction((tx) => eraseMessage(tx.sql, message.id));
    if (isRemoved) this.#removed.add(message.id);
  }

  async #edit(at: number): Promise<void> {
    const known = this.#at(at);
    await this.#history.flush();
    if (known === undefined) return;
    const { version = 1 } = known;
    const index = this.#appended.indexOf(known);
    const edited = { ...known, content: textOf(index + 7 * version), version: version + 1 };
    const wasThere = await this.#database.transaction(async (tx) => {
      const locked = await lockMessage(tx.sql, known.id);
      if (locked === undefined) return false;
      await replaceMessage(tx.sql, locked, edited);
      await noteChanged(tx.sql, 'lobby', [known.id]);
      return true;
    });
    if (wasThere) this.#appended[index] = edited;
  }

  #at(share: number): LobbyMessage | undefined {
    return this.#appended[Math.floor(share * this.#appended.length)];
  }

  #kept(): readonly LobbyMessage[] {
    const sinceMs = this.#clock.unixMs() - BOUNDS.days * DAY_MS;
    return this.#appended
      .slice(-BOUNDS.messages)
      .filter(({ id, created_at }) => created_at >= sinceMs && !this.#removed.has(id));
  }

  async #search(query: Query): Promise<void> {
    const [expected, found] = [this.#expected(query), await this.#found(query)];
    // Nothing is found that was changed or removed, or is no longer kept, indexed or not.
    const ids = new Set(found.map(({ id }) => id));
    expect(found).toEqual(expected.filter(({ id }) => ids.has(id)));
    await this.#history.flush();
    await this.#index();
    expect(await this.#found(query)).toEqual(expected);
  }

  #range({ afterShare, beforeShare }: Query) {
    const after = afterShare === undefined ? undefined : this.#at(afterShare)?.id;
    const before = beforeShare === undefined ? undefined : this.#at(beforeShare)?.id;
    return { after, before };
  }

  #expected(query: Query): readonly LobbyMessage[] {
    const { q, from, has } = query;
    const { after, before } = this.#range(query);
    const terms = searchTerms(q, split);
    return this.#kept()
      .filter(({ id }) => after === undefined || compareIds(id, after) > 0)
      .filter(({ id }) => before === undefined || compareIds(id, before) < 0)
      .filter(({ author }) => from === undefined || foldText(author).trim() === foldText(from))
      .filter(({ content }) => has === undefined || content.includes('https://'))
      .filter(({ content }) => hasTerms(content, terms, split))
      .toReversed();
  }

  async #found(query: Query): Promise<readonly LobbyMessage[]> {
    const { q, from, has, limit } = query;
    const { after, ...range } = this.#range(query);
    const found: LobbyMessage[] = [];
    for (let { before } = range; ;) {
      const input: SearchInput = { q, from, has, after, before, limit };
      const searching = search(this.#context(), ANYONE, { kind: 'messages', ...input });
      const { found: messages, stoppedAt } = await searching;
      found.push(...messages);
      before = messages.length === limit ? messages.at(-1)?.id : stoppedAt;
      if (before === undefined || found.length > this.#appended.length) return found;
    }
  }

  #context(): InstanceContext {
    const [database, history] = [this.#database, this.#history];
    const settings = { rest: { history: BOUNDS }, lobby: 'open' };
    const places = [LOBBY];
    const named = { database: ownerOutbox(database), fileAddresses: ['https://files.test'] };
    const namedFiles = new NamedFiles(named);
    const restrictions = { current: () => ({ isNothing: true }) };
    // The rest of a context is not used.
    return {
      database,
      history,
      settings,
      places,
      namedFiles,
      restrictions,
    } as unknown as InstanceContext;
  }
}

function opened(database: TestDatabase, clock: FakeClock): Promise<History> {
  return openHistory({ database, clock, log, bounds: BOUNDS });
}

onEachDatabase((open) => {
  test('[SE1][SE2][SE3][SE4][SE6][SE8][SE9] every search finds what is kept by then, whatever is indexed and whatever happened before', async () => {
    await fc.assert(
      fc.asyncProperty(
        begin,
        fc.array(command, { minLength: 5, maxLength: 25 }),
        async (first, commands) => {
          await using database = await open();
          const clock = fakeClock();
          const history = await opened(database, clock);
          const model = new Model({ database, clock, history });
          for (const each of [...first, ...commands]) await model.run(each);
          await model.end();
        },
      ),
      { numRuns: runs(3, 4) },
    );
  }, 120_000);
});
