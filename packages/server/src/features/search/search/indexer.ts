import { compareIds, foldText, idAfter, wordSplitter, type Id } from '@hearth/protocol';
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../../lib/clock.ts';
import { PeriodicWork } from '../../../lib/periodic-work.ts';
import type { Logger } from '../../../log/logger.ts';
import type { Database, Transaction } from '../../../ports/database/database.ts';
import { deleteAfter, type RowPlace } from '../../../ports/database/delete-after.ts';
import { NO_ID } from '../../../ports/database/stored-id.ts';
import {
  forgetNoted,
  noteChanged,
  selectNoted,
  type Noted,
} from '../../talk/index-queue/index-queue.ts';
import { selectLast, selectLobbyRange, selectOldestId } from '../../talk/lobby/lobby.ts';
import { addEntries, insertNew, wordsOf, type Words } from './add-entries.ts';
import { BLOCK_SIZES, type BlockSizes } from './blocks.ts';
import { correctWords, readCorrection } from './correct-block.ts';
import { ofLobby, readEntries, selectNewest, type Entry } from './entries.ts';
import type { PlacedWords } from './index-words.ts';
import { noteWithoutLobby, selectLobbyBlocks, sweptLobby } from './lobby-store.ts';
import { Pace } from './pace.ts';
import { progressText, readProgress } from './progress.ts';
import { firstOf, isLong, readSome } from './read-some.ts';
import { wordsInTurns } from './split-text.ts';
import {
  deleteBlock,
  insertBlock,
  insertState,
  lockState,
  noteBlockOutdated,
  noteComplete,
  selectFirstBlock,
  selectFormerBlock,
  selectOutdatedBlocks,
  selectState,
  sweptParts,
  updateFirstId,
  updateLastId,
  type SearchState,
} from './store.ts';

/** The period of checks for entries to index. */
const PERIOD_MS = 1_000;

/** The least time between two removals of outdated hits, by which searches find nothing. */
const CORRECTION_MS = 60_000;

/** The least time between two lines of the log that say how far an index is. */
const REPORT_MS = 60_000;

/** Entries of one transaction, which takes a few milliseconds. */
const ENTRIES_A_STEP = 128;

/** Words of a long text of one transaction, for the same reason. */
const WORDS_A_STEP = 800;

/** Rows of former indexes of one transaction. */
const DELETED_AT_ONCE = 1_000;

/** A long text whose words are being added. */
interface LongText {
  readonly id: Id;
  /** All notes about it. With others, it was changed, or another index is to have it. */
  readonly notes: Notes;
  /** The words that are still to be added. */
  readonly left: PlacedWords;
}

type Notes = Awaited<ReturnType<typeof selectNoted>>;

export interface IndexerOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly sizes?: BlockSizes;
  /** Runs between the steps of its work. */
  readonly pause?: () => Promise<void>;
}

/**
 * Indexes messages, posts and comments in the background and in short steps: new and changed ones, and then older ones. Any
 * process may do each step; it locks the state.
 */
export class Indexer implements AsyncDisposable {
  readonly #options: IndexerOptions;
  readonly #work: PeriodicWork;
  readonly #pace = new Pace();
  readonly #split = wordSplitter();
  readonly #sizes: BlockSizes;
  #correctedAtMs = -Infinity;
  #long: LongText | undefined;
  #reportedAtMs: number;
  #isReported = false;

  constructor(options: IndexerOptions) {
    this.#options = options;
    this.#sizes = options.sizes ?? BLOCK_SIZES;
    // The first index of an instance without much to index is no news.
    this.#reportedAtMs = options.clock.monotonicMs();
    this.#work = new PeriodicWork({
      clock: options.clock,
      periodMs: PERIOD_MS,
      work: () => this.#indexAll(),
      onFailure: (error) =>
        options.log.error({ err: error }, 'the search index cannot be continued'),
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
    const { database } = this.#options;
    if ((await selectState(database.reader)) === undefined) {
      const last = await selectLast(database.reader);
      await database.transaction((tx) => insertState(tx.sql, last?.id ?? NO_ID));
    }
    while (await this.#addNew()) {
      if ((await selectState(database.reader))?.isComplete !== false) break;
      if (!(await this.#step((tx, state) => this.#fill(tx, state)))) return;
      await this.#reportInTime();
      if (!(await this.#correctInTime())) return;
    }
    if (this.#isReported && !this.#work.isEnding) await this.#report();
    if (await this.#deleteFormer()) await this.#correctInTime();
  }

  /** Logs how far the index is, unless it has done so a short time ago. */
  async #reportInTime(): Promise<void> {
    const nowMs = this.#options.clock.monotonicMs();
    if (nowMs - this.#reportedAtMs < REPORT_MS) return;
    this.#reportedAtMs = nowMs;
    await this.#report();
  }

  /** Logs how far the index is, which is complete after the last time. */
  async #report(): Promise<void> {
    const progress = await readProgress(this.#options.database.reader);
    if (progress === undefined) return;
    this.#isReported = !progress.isComplete;
    this.#options.log.info({}, `the search index ${progressText(progress)}`);
  }

  /** Adds noted entries and new messages of the lobby. Returns false if this process has to stop. */
  async #addNew(): Promise<boolean> {
    const { reader } = this.#options.database;
    for (;;) {
      const [state, last] = [await selectState(reader), await selectLast(reader)];
      const isNoted = (await selectNoted(reader, 1)).length > 0;
      const hasLobby = last !== undefined && compareIds(last.id, state?.lastId ?? NO_ID) > 0;
      if (!isNoted && !hasLobby) return !this.#work.isEnding;
      if (isNoted && !(await this.#addNoted())) return false;
      if (hasLobby && !(await this.#step((tx, state) => this.#addLobby(tx, state, last.id))))
        return false;
    }
  }

  /** Adds noted entries, or some words of a long one. Returns false if this process has to stop. */
  async #addNoted(): Promise<boolean> {
    const long = await this.#readLong();
    this.#long = long;
    let left: PlacedWords | undefined;
    const isDone = await this.#step(async (tx, state) => {
      const notes = await selectNoted(tx.sql, ENTRIES_A_STEP);
      const { done, entries } = await readSome(tx.sql, notes);
      if (!entries.some(isLong)) {
        await this.#add(tx, state, { noted: done, words: await this.#wordsOf(tx, entries) });
        await forgetNoted(tx.sql, done);
      } else if (long !== undefined && isDeepStrictEqual(long.notes, aboutFirst(notes))) {
        left = new Map(long.left.entries().drop(WORDS_A_STEP));
        const words = new Map([[long.id, new Map(long.left.entries().take(WORDS_A_STEP))]]);
        await this.#add(tx, state, { noted: long.notes, words });
        if (left.size === 0) await forgetNoted(tx.sql, long.notes);
      }
      // Otherwise a long one was noted or changed just now, and is read again.
      return true;
    });
    if (isDone && long !== undefined && left !== undefined) this.#long = { ...long, left };
    return isDone;
  }

  /** The first noted entry if it is long. It is split here, so that no transaction waits for that. */
  async #readLong(): Promise<LongText | undefined> {
    const { reader } = this.#options.database;
    // They are read before the text, so that they cannot be about a later one.
    const notes = aboutFirst(await selectNoted(reader, ENTRIES_A_STEP));
    if (isDeepStrictEqual(notes, this.#long?.notes)) return this.#long;
    const [entry] = await readEntries(reader, notes);
    if (entry === undefined || !isLong(entry)) return undefined;
    const words = await wordsOf(reader, [entry], (own) => wordsInTurns(own, this.#split));
    return { id: entry.id, notes, left: words.get(entry.id) ?? new Map() };
  }

  /** Adds messages of the lobby. The last one had the id `last`. */
  async #addLobby(tx: Transaction, state: SearchState, last: Id): Promise<boolean> {
    const range = { after: state.lastId, limit: ENTRIES_A_STEP };
    const read = (await selectLobbyRange(tx.sql, range)).map(ofLobby).toReversed();
    const entries = firstOf(read);
    const isAll = read.length < ENTRIES_A_STEP && entries.length === read.length;
    const short = await withoutLong(tx, entries);
    await this.#add(tx, state, { noted: short, words: await this.#wordsOf(tx, short) });
    const reached = entries.at(-1)?.id ?? state.lastId;
    await updateLastId(tx.sql, isAll && compareIds(last, reached) > 0 ? last : reached);
    return true;
  }

  #wordsOf(tx: Transaction, entries: readonly Entry[]): Promise<Words> {
    return wordsOf(tx.sql, entries, (text) => this.#split(foldText(text)));
  }

  /** Adds entries to the indexes. Those that were noted and have no words were deleted. */
  async #add(
    tx: Transaction,
    { newest, searched }: SearchState,
    { noted, words }: { readonly noted: readonly Noted[]; readonly words: Words },
  ): Promise<void> {
    const once = [...new Map(noted.map((each) => [each.id, each])).values()];
    for (const index of new Set([newest, searched])) {
      await addEntries(tx, { index, sizes: this.#sizes, noted: once, words });
    }
  }

  /** Adds the entries before the first block of an index. Returns false if it is complete. */
  async #fill(tx: Transaction, { newest: index, isComplete }: SearchState): Promise<boolean> {
    if (isComplete) return false;
    const first = await selectFirstBlock(tx.sql, index);
    const range = { before: first?.firstId, limit: ENTRIES_A_STEP };
    const named = await selectNewest(tx.sql, range);
    const { done, entries } = await readSome(tx.sql, named);
    const isLast = named.length < ENTRIES_A_STEP && done.length === named.length;
    const firstId = isLast ? NO_ID : (done.at(-1)?.id ?? NO_ID);
    const isFull = first === undefined || (named.length > 0 && first.positions >= this.#sizes.full);
    const block = isFull ? await insertBlock(tx.sql, index, firstId) : first;
    if (!isFull) await updateFirstId(tx.sql, block.block, firstId);
    const short = await withoutLong(tx, entries);
    await insertNew(tx, block, { noted: short, words: await this.#wordsOf(tx, short) });
    // Without the long ones that are still noted, the former index is the better one.
    if (isLast && (await selectNoted(tx.sql, 1)).length === 0) await noteComplete(tx.sql);
    return true;
  }

  /** Deletes indexes that no search reads any more. Returns false if this process has to stop. */
  async #deleteFormer(): Promise<boolean> {
    const { reader } = this.#options.database;
    for (;;) {
      const searched = (await selectState(reader))?.searched ?? 0;
      const block = await selectFormerBlock(reader, searched);
      if (block === undefined) return !this.#work.isEnding;
      for (const swept of sweptParts(block)) {
        const isDone = await this.#inSteps<RowPlace | undefined>(undefined, (tx, after) =>
          deleteAfter(tx.sql, swept, { after, limit: DELETED_AT_ONCE }),
        );
        if (!isDone) return false;
      }
      const isDone = await this.#step(async (tx) => {
        await deleteBlock(tx.sql, block);
        return true;
      });
      if (!isDone) return false;
    }
  }

  /** Removes outdated hits if the last time is long ago. Returns false if this process has to stop. */
  async #correctInTime(): Promise<boolean> {
    const nowMs = this.#options.clock.unixMs();
    if (Math.abs(nowMs - this.#correctedAtMs) < CORRECTION_MS) return true;
    // After a failure, too, the next one is not tried at once.
    this.#correctedAtMs = nowMs;
    const isDone = await this.#correct();
    if (!isDone) this.#correctedAtMs = -Infinity;
    return isDone;
  }

  /** Removes outdated hits. Returns false if this process has to stop. */
  async #correct(): Promise<boolean> {
    const { reader } = this.#options.database;
    if (!(await this.#forgetLobby())) return false;
    for (const block of await selectOutdatedBlocks(reader)) {
      const correction = await readCorrection(reader, block, this.#split);
      const isDone = await this.#inSteps('', (tx, after) => correctWords(tx, correction, after));
      if (!isDone) return false;
    }
    return !this.#work.isEnding;
  }

  /** Removes messages of the lobby that are no longer kept. Returns false if this process has to stop. */
  async #forgetLobby(): Promise<boolean> {
    const { reader } = this.#options.database;
    const lastId = (await selectState(reader))?.lastId;
    const oldest = (await selectOldestId(reader)) ?? (lastId && idAfter(lastId)) ?? NO_ID;
    for (const { block, isOver } of await selectLobbyBlocks(reader, oldest)) {
      const swept = sweptLobby(block, oldest);
      const isDone = await this.#inSteps<RowPlace | undefined>(undefined, async (tx, after) => {
        await noteBlockOutdated(tx.sql, block);
        const next = await deleteAfter(tx.sql, swept, { after, limit: DELETED_AT_ONCE });
        if (next === undefined && isOver) await noteWithoutLobby(tx.sql, block);
        return next;
      });
      if (!isDone) return false;
    }
    return !this.#work.isEnding;
  }

  /** Repeats a step, each time with the result of the one before, and adds new entries between them. Returns false if it was ended. */
  async #inSteps<Place>(
    begin: Place,
    step: (tx: Transaction, after: Place) => Promise<Place | undefined>,
  ): Promise<boolean> {
    let after = begin;
    for (;;) {
      let next: Place | undefined;
      const isDone = await this.#step(async (tx) => {
        next = await step(tx, after);
        return true;
      });
      if (!isDone || !(await this.#addNew())) return false;
      if (next === undefined) return true;
      after = next;
    }
  }

  /** Does a step, and pauses. Returns false if it had nothing to do, another process is at work, or this one has to stop. */
  async #step(step: (tx: Transaction, state: SearchState) => Promise<boolean>): Promise<boolean> {
    if (this.#work.isEnding) return false;
    const { database, pause } = this.#options;
    const isDone = await database.transaction(async (tx) => {
      const state = await lockState(tx.sql);
      return state !== undefined && (await step(tx, state));
    });
    if (isDone) await (pause?.() ?? this.#pace.pause());
    return isDone;
  }
}

/** The notes about the same as the first one. */
function aboutFirst(notes: Notes): Notes {
  return notes.filter(({ id }) => id === notes[0]?.id);
}

/** Entries without the long ones, which are noted, so that their words are added in several steps. */
async function withoutLong(tx: Transaction, entries: readonly Entry[]): Promise<readonly Entry[]> {
  for (const { kind, id } of entries.filter(isLong)) await noteChanged(tx.sql, kind, [id]);
  return entries.filter((entry) => !isLong(entry));
}
