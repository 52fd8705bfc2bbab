import { wordSplitter, type Id } from '@hearth/protocol';
import type { Clock } from '../../../lib/clock.ts';
import { PeriodicWork } from '../../../lib/periodic-work.ts';
import type { Logger } from '../../../log/logger.ts';
import type { Database, Transaction } from '../../../ports/database/database.ts';
import { blockOf, hitOf } from '../blocks.ts';
import { indexedChannelWords } from '../index-words.ts';
import { Pace } from '../pace.ts';
import type { PostedChannels } from '../posted-channels.ts';
import { CHANNEL_BLOCK } from './channel-block.ts';
import { deletePart } from './delete-part.ts';
import type { Entry } from './entries.ts';
import { indexedIn } from './indexed-entries.ts';
import {
  advance,
  deleteChange,
  deleteNumber,
  insertNumbers,
  lockIndex,
  selectUnindexed,
  selectChanges,
  selectNumbers,
  selectUnfinished,
  type ChannelIndex,
} from './store.ts';
import { appendStatements, removeHit, type WordHits } from './words-store.ts';

/** How often to index what was posted. What is not indexed is found, too. */
const PERIOD_MS = 5_000;

/** Messages, or posts and comments, of one transaction, so that other writers never wait long. */
const ENTRIES_A_STEP = 32;

/** The same for characters: a post may have as many as some messages. The first one is indexed in any case. */
const CHARACTERS_A_STEP = 40_000;

/** Channels that are looked up at once. */
const CHANNELS_AT_ONCE = 200;

/** Changed messages, posts and comments that are looked up at once. */
const CHANGES_AT_ONCE = 200;

/** What an indexer of channels needs. */
export interface ChannelIndexerOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly posted: PostedChannels;
  /** Runs between the steps of its work. */
  readonly pause?: () => Promise<void>;
}

/**
 * Indexes the messages, posts and comments of channels in the background: at first what was never indexed, then what this process has posted,
 * and what any process has changed or deleted. Several processes may do this: each step locks the index of its channel.
 */
export class ChannelIndexer implements AsyncDisposable {
  readonly #options: ChannelIndexerOptions;
  readonly #work: PeriodicWork;
  readonly #pace = new Pace();
  readonly #split = wordSplitter();
  /** Channels that failed. */
  readonly #left = new Set<Id>();
  #hasCaughtUp = false;

  constructor(options: ChannelIndexerOptions) {
    this.#options = options;
    this.#work = new PeriodicWork({
      clock: options.clock,
      periodMs: PERIOD_MS,
      work: () => this.#indexAll(),
      onFailure: (error) =>
        options.log.error({ err: error }, 'channels cannot be indexed for the search'),
    });
  }

  /** Indexes everything that it can. Never rejects: a failure is logged, and tried again. */
  run(): Promise<void> {
    return this.#work.run();
  }

  /** Stops; resolves when the step under way has ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#pace.end();
    await this.#work[Symbol.asyncDispose]();
  }

  async #indexAll(): Promise<void> {
    const { database, posted } = this.#options;
    for (const id of posted.take()) this.#left.add(id);
    if (!this.#hasCaughtUp) await this.#catchUp();
    for (const id of await selectUnfinished(database.reader, CHANNELS_AT_ONCE)) this.#left.add(id);
    for (const id of this.#left) {
      if (this.#work.isEnding) return;
      await this.#finish(id);
      this.#left.delete(id);
    }
  }

  /** Indexes what was posted before this process began, or by one that was killed. */
  async #catchUp(): Promise<void> {
    const { reader } = this.#options.database;
    for (let after: Id | '' = ''; !this.#work.isEnding;) {
      const found = await selectUnindexed(reader, after, CHANNELS_AT_ONCE);
      for (const id of found) {
        if (this.#work.isEnding) return;
        await this.#finish(id);
      }
      const last = found.at(-1);
      if (last === undefined) {
        this.#hasCaughtUp = true;
        return;
      }
      after = last;
    }
  }

  /** Indexes everything in a channel as it is now. */
  async #finish(channelId: Id): Promise<void> {
    await this.#repeat((tx) => this.#indexNext(tx, channelId));
    const { reader } = this.#options.database;
    while (!this.#work.isEnding) {
      const changes = await selectChanges(reader, [channelId], CHANGES_AT_ONCE);
      for (const { id } of changes) {
        if (this.#work.isEnding) return;
        await this.#repeat((tx) => this.#indexAgain(tx, channelId, id));
      }
      if (changes.length < CHANGES_AT_ONCE) return;
    }
  }

  /** Repeats a step, each in a transaction of its own, until it returns that it is done. */
  async #repeat(step: (tx: Transaction) => Promise<boolean>): Promise<void> {
    const { database, pause } = this.#options;
    for (let isDone = false; !isDone && !this.#work.isEnding;) {
      isDone = await database.transaction(step);
      await (pause?.() ?? this.#pace.pause());
    }
  }

  /** Indexes some entries of a channel. Returns whether no more were there. */
  async #indexNext(tx: Transaction, channelId: Id): Promise<boolean> {
    const index = await lockIndex(tx.sql, channelId);
    if (index === undefined) return true;
    if (index.isStale) {
      await deletePart(tx.sql, channelId);
      return false;
    }
    const range = { after: index.lastId, limit: ENTRIES_A_STEP };
    const { range: entriesIn } = indexedIn(index.kind);
    const read = (await entriesIn(tx.sql, channelId, range)).toReversed();
    const entries = firstOf(read);
    const last = entries.at(-1);
    if (last === undefined) return true;
    const first = index.lastNumber + 1;
    const words = this.#wordsOf(entries.map((entry, at) => [first + at, entry]));
    for (const statement of appendStatements(channelId, words)) await tx.run(statement);
    const ids = entries.map(({ id }) => id);
    await insertNumbers(tx.sql, channelId, { ids, first });
    const reached: ChannelIndex = {
      lastNumber: index.lastNumber + entries.length,
      lastId: last.id,
    };
    await advance(tx.sql, channelId, reached);
    return read.length < ENTRIES_A_STEP && entries.length === read.length;
  }

  /** Indexes what was changed, and removes what was deleted. Returns true. */
  async #indexAgain(tx: Transaction, channelId: Id, id: Id): Promise<boolean> {
    const index = await lockIndex(tx.sql, channelId);
    // First, because this waits for those who are changing it: then it is read as they leave it.
    await deleteChange(tx.sql, channelId, id);
    const [number] = await selectNumbers(tx.sql, channelId, [id]);
    if (index === undefined || number === undefined) return true;
    const block = blockOf(number, CHANNEL_BLOCK);
    await removeHit(tx, { channelId, block, hit: hitOf(number, CHANNEL_BLOCK) });
    const [entry] = await indexedIn(index.kind).some(tx.sql, channelId, [id]);
    if (entry === undefined) {
      await deleteNumber(tx.sql, channelId, number);
      return true;
    }
    const words = this.#wordsOf([[number, entry]]);
    for (const statement of appendStatements(channelId, words)) await tx.run(statement);
    return true;
  }

  /** The words of entries with their hits, in the order of the index. */
  #wordsOf(entries: readonly (readonly [number, Entry])[]): readonly WordHits[] {
    const blocks = Map.groupBy(entries, ([number]) => blockOf(number, CHANNEL_BLOCK));
    return [...blocks].flatMap(([block, all]) => {
      const hits = new Map<string, string>();
      for (const [number, entry] of all) {
        for (const word of indexedChannelWords(entry, this.#split)) {
          hits.set(word, (hits.get(word) ?? '') + hitOf(number, CHANNEL_BLOCK));
        }
      }
      return [...hits]
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([word, each]) => ({ block, word, hits: each }));
    });
  }
}

/** As many of the first entries as one step indexes. */
function firstOf(entries: readonly Entry[]): readonly Entry[] {
  let characters = 0;
  const end = entries.findIndex(({ text }, at) => {
    characters += text.length;
    return at > 0 && characters > CHARACTERS_A_STEP;
  });
  return end === -1 ? entries : entries.slice(0, end);
}
