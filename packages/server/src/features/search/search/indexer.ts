import { wordSplitter, type Id, type SplitWords } from '@hearth/protocol';
import type { Clock } from '../../../lib/clock.ts';
import { PeriodicWork } from '../../../lib/periodic-work.ts';
import type { Logger } from '../../../log/logger.ts';
import type { Database, Transaction, Statement } from '../../../ports/database/database.ts';
import { deleteAfter, type RowPlace } from '../../../ports/database/delete-after.ts';
import {
  forgetEdit,
  selectEdits,
  selectIdFrom,
  selectLast,
  selectNumberAfter,
  selectNumberRange,
  selectOldestNumber,
  type StoredMessage,
} from '../../talk/lobby/lobby.ts';
import {
  BLOCK_SIZES,
  blockOf,
  firstRead,
  largestBlock,
  numbersOf,
  hitOf,
  type Block,
} from './blocks.ts';
import {
  LOBBY_INDEX,
  advanceIndex,
  beginIndex,
  deleteIndex,
  selectIndex,
  selectFirstBlock,
  selectReplaced,
  sweptWords,
  takeLease,
  wordStatements,
  type Index,
} from './store.ts';
import { Pace } from './pace.ts';
import { indexedWords } from './index-words.ts';

/** How often to check for messages to index. Those that are not indexed are found, too. */
const PERIOD_MS = 5_000;

/** How long after it was killed another process continues its work. A large block takes less on a busy machine. */
const LEASE_MS = 50_000;

/** Words deleted at once. */
const DELETED_AT_ONCE = 1_000;

/** Edited messages that are indexed in one run. */
const EDITS_AT_ONCE = 1_000;

const ALL_BLOCKS = Number.MAX_SAFE_INTEGER;

export interface IndexerOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  /** Runs between the steps of its work. */
  readonly pause?: () => Promise<void>;
}

/**
 * Indexes the lobby's messages in the background, in whole blocks, and deletes what is indexed of messages that are no
 * longer kept. If several processes do this, one of them does it at a time.
 */
export class Indexer implements AsyncDisposable {
  readonly #options: IndexerOptions;
  readonly #work: PeriodicWork;
  readonly #pace = new Pace();
  readonly #name = crypto.randomUUID();
  readonly #split = wordSplitter();

  constructor(options: IndexerOptions) {
    this.#options = options;
    this.#work = new PeriodicWork({
      clock: options.clock,
      periodMs: PERIOD_MS,
      work: () => this.#indexAll(),
      onFailure: (error) =>
        options.log.error({ err: error }, 'messages cannot be indexed for the search'),
    });
  }

  /** Indexes and deletes everything that it can. Never rejects: a failure is logged, and tried again. */
  run(): Promise<void> {
    return this.#work.run();
  }

  /** Stops; resolves when the step under way has ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#pace.end();
    await this.#work[Symbol.asyncDispose]();
  }

  async #indexAll(): Promise<void> {
    const { database } = this.#options;
    while (!this.#work.isEnding) {
      const index = await selectIndex(database.reader, LOBBY_INDEX);
      if (index === undefined || (await this.#isOutdated(index))) {
        await database.transaction((tx) => beginIndex(tx.sql, LOBBY_INDEX));
        continue;
      }
      const block = await this.#nextBlock(index);
      if (block === undefined) {
        await this.#indexEdits(index);
        return this.#deleteOld(index);
      }
      if (!(await this.#withLease())) return;
      await this.#index(index, block);
    }
  }

  /**
   * Whether the numbers of messages have begun again, which happens if no message was left. Then the messages after the
   * last one in the index have smaller numbers.
   */
  async #isOutdated({ indexedNumber, indexedId }: Index): Promise<boolean> {
    const next = await selectNumberAfter(this.#options.database.reader, indexedId);
    return next !== undefined && next <= indexedNumber;
  }

  /** The block to index next, if it is complete. */
  async #nextBlock({ indexedNumber }: Index): Promise<Block | undefined> {
    const { reader } = this.#options.database;
    const last = await selectLast(reader);
    if (last === undefined || last.number <= indexedNumber) return undefined;
    const oldest = (await selectOldestNumber(reader)) ?? 0;
    return largestBlock(Math.max(indexedNumber + 1, oldest), last.number);
  }

  /** Runs `work` if no other process adds to the index or deletes from it. Returns whether it did. */
  #withLease(work: (tx: Transaction) => Promise<void> = async () => {}): Promise<boolean> {
    const { database, clock } = this.#options;
    const nowMs = clock.unixMs();
    const lease = { by: this.#name, nowMs, untilMs: nowMs + LEASE_MS };
    return database.transaction(async (tx) => {
      const isMine = await takeLease(tx, LOBBY_INDEX, lease);
      if (isMine) await work(tx);
      return isMine;
    });
  }

  async #index(index: Index, block: Block): Promise<void> {
    const { database } = this.#options;
    const indexing = { database, split: this.#split, pause: () => this.#pause() };
    await indexBlock(indexing, { place: index.place, block });
    const { last: indexedNumber } = numbersOf(block);
    const next = await selectIdFrom(database.reader, indexedNumber + 1);
    // Everything was deleted meanwhile.
    if (next === undefined) return;
    const indexedId = String(BigInt(next) - 1n) as Id;
    await database.transaction((tx) => advanceIndex(tx, index, { indexedNumber, indexedId }));
  }

  /** Indexes the messages that were edited after they were indexed. */
  async #indexEdits(index: Index): Promise<void> {
    const { reader } = this.#options.database;
    for (const edit of await selectEdits(reader, EDITS_AT_ONCE)) {
      // The others are indexed with their blocks, and maybe were read for that before they were edited.
      if (this.#work.isEnding || edit.number > index.indexedNumber) return;
      const range = { first: edit.number, last: edit.number };
      const [edited] = await selectNumberRange(reader, range);
      const statements = edited === undefined ? [] : editStatements(edited, index, this.#split);
      const isMine = await this.#withLease(async (tx) => {
        for (const statement of statements) await tx.run(statement);
        await forgetEdit(tx.sql, edit);
      });
      if (!isMine) return;
      await this.#pause();
    }
  }

  async #deleteOld({ place, indexedNumber }: Index): Promise<void> {
    const { database } = this.#options;
    const oldest = (await selectOldestNumber(database.reader)) ?? indexedNumber + 1;
    for (const size of BLOCK_SIZES) {
      const end = Math.max(blockOf(oldest, size), firstRead(size, indexedNumber));
      if (!(await this.#deleteBefore({ place, size }, end))) return;
    }
    for (const replaced of await selectReplaced(database.reader, LOBBY_INDEX)) {
      for (const size of BLOCK_SIZES) {
        if (!(await this.#deleteBefore({ place: replaced, size }, ALL_BLOCKS))) return;
      }
      // Nobody adds to it any more: who has the lease knows the index that has replaced it.
      if (!(await this.#withLease((tx) => deleteIndex(tx.sql, replaced)))) return;
    }
  }

  /** Returns whether nothing is left; false if this process is stopping, or another one has the lease. */
  async #deleteBefore(
    at: { readonly place: number; readonly size: number },
    end: number,
  ): Promise<boolean> {
    const { database } = this.#options;
    // Mostly there is nothing to delete, so that nothing has to be written.
    const first = await selectFirstBlock(database.reader, at);
    if (first === undefined || first >= end) return true;
    const words = sweptWords(at, end);
    for (let after: RowPlace | undefined; !this.#work.isEnding;) {
      const range = { after, limit: DELETED_AT_ONCE };
      const isMine = await this.#withLease(async (tx) => {
        after = await deleteAfter(tx.sql, words, range);
      });
      if (!isMine) return false;
      if (after === undefined) return true;
      await this.#pause();
    }
    return false;
  }

  #pause(): Promise<void> {
    return this.#options.pause?.() ?? this.#pace.pause();
  }
}

/**
 * Statements that add the words of an edited message to the blocks that searches may read. Its former words stay there: what
 * is found is compared with the message.
 */
function editStatements(
  { number, message }: StoredMessage,
  { place, indexedNumber }: Index,
  split: SplitWords,
): readonly Statement[] {
  const words = [...indexedWords(message, split)].toSorted();
  return BLOCK_SIZES.flatMap((size) => {
    const block = { size, index: blockOf(number, size) };
    const isRead = block.index >= firstRead(size, indexedNumber);
    if (!isRead || numbersOf(block).last > indexedNumber) return [];
    const hits = words.map((word) => [word, hitOf(number, size)] as const);
    return wordStatements({ place, block, storing: 'append' }, hits);
  });
}

/** Messages that are read and split in one step, which takes about a millisecond. */
const MESSAGES_A_STEP = 64;

/** Statements of one transaction, each with up to 64 rows. */
const STATEMENTS_A_STEP = 8;

export interface BlockIndexing {
  readonly database: Database;
  readonly split: SplitWords;
  /** Runs between steps. */
  readonly pause: () => Promise<void>;
}

/** Stores the words of a block, whose messages are all written. Harmless if repeated. */
export async function indexBlock(
  { database, split, pause }: BlockIndexing,
  at: { readonly place: number; readonly block: Block },
): Promise<void> {
  const hits = new Map<string, string>();
  const { first, last } = numbersOf(at.block);
  for (let from = first; from <= last; from += MESSAGES_A_STEP) {
    const range = { first: from, last: from + MESSAGES_A_STEP - 1 };
    for (const { number, message } of await selectNumberRange(database.reader, range)) {
      for (const word of indexedWords(message, split)) {
        hits.set(word, (hits.get(word) ?? '') + hitOf(number, at.block.size));
      }
    }
    await pause();
  }
  // In the order of the index, so that each step changes few of its pages.
  const words = [...hits].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const statements = wordStatements(at, words);
  for (let done = 0; done < statements.length; done += STATEMENTS_A_STEP) {
    await run(database, statements.slice(done, done + STATEMENTS_A_STEP));
    await pause();
  }
}

function run(database: Database, statements: readonly Statement[]): Promise<void> {
  return database.transaction(async (tx) => {
    for (const statement of statements) await tx.run(statement);
  });
}
