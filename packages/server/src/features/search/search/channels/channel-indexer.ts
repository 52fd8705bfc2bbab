import { wordSplitter, type Id } from '@hearth/protocol';
import { NO_ID } from '../../../../ports/database/stored-id.ts';
import type { Clock } from '../../../../lib/clock.ts';
import { PeriodicWork } from '../../../../lib/periodic-work.ts';
import type { Logger } from '../../../../log/logger.ts';
import type { Database, Transaction } from '../../../../ports/database/database.ts';
import { Pace } from '../pace.ts';
import type { PostedChannels } from '../../../talk/index-queue/index-queue.ts';
import { CHANNEL_SIZES, isMergeDue, type ChannelSizes } from './channel-blocks.ts';
import { deleteChanges, deleteMerged, deletePart, type Deleted } from './delete-part.ts';
import { cleanNext, followChanges } from './follow-changes.ts';
import { indexNext, mergeNext } from './index-next.ts';
import { lockIndex, selectUnfinished, selectUnindexed } from './store.ts';

/** How often to index what was posted. What is not indexed is found, too. */
const PERIOD_MS = 5_000;

/** Channels that are looked up at once. */
const CHANNELS_AT_ONCE = 200;

export interface ChannelIndexerOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly posted: PostedChannels;
  readonly sizes?: ChannelSizes;
  /** Runs between the steps of its work. */
  readonly pause?: () => Promise<void>;
}

/** What a step of the work has left to the next one. */
interface Step {
  readonly isDone: boolean;
  readonly deleted?: Deleted | undefined;
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
    const { database, sizes: { large } = CHANNEL_SIZES } = this.#options;
    for (let after: Id = NO_ID; !this.#work.isEnding;) {
      const found = await selectUnindexed(database.reader, {
        after,
        large,
        limit: CHANNELS_AT_ONCE,
      });
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

  /** Indexes everything in a channel as it is now. Each step is a transaction of its own. */
  async #finish(channelId: Id): Promise<void> {
    const { database, pause } = this.#options;
    for (let step: Step = { isDone: false }; !step.isDone && !this.#work.isEnding;) {
      const { deleted } = step;
      step = await database.transaction((tx) => this.#step(tx, channelId, deleted));
      await (pause?.() ?? this.#pace.pause());
    }
  }

  /**
   * Does the next thing that there is to do for an index. Which it is depends on the database only, so processes may take turns;
   * what is deleted is also deleted if the step begins at the start again.
   */
  async #step(tx: Transaction, channelId: Id, before: Deleted | undefined): Promise<Step> {
    const index = await lockIndex(tx.sql, channelId);
    const version = index?.version ?? 0;
    const deleted = before?.version === version ? before : { version };
    if (index === undefined) {
      const changes = await deleteChanges(tx.sql, channelId, deleted);
      return { isDone: changes === undefined, deleted: changes };
    }
    if (index.isStale) {
      return { isDone: false, deleted: await deletePart(tx.sql, channelId, deleted) };
    }
    const { sizes = CHANNEL_SIZES } = this.#options;
    const indexing = { channelId, index, sizes, split: this.#split };
    if (index.replaced < index.merged) {
      return { isDone: false, deleted: await deleteMerged(tx.sql, indexing, deleted) };
    }
    // Before blocks are merged: the words of an entry are never in two blocks that searches may read.
    if (index.cleaning !== undefined) {
      await cleanNext(tx, indexing, index.cleaning);
      return { isDone: false };
    }
    if (isMergeDue(index, sizes)) {
      await mergeNext(tx, indexing);
      return { isDone: false };
    }
    return { isDone: (await indexNext(tx, indexing)) && (await followChanges(tx, indexing)) };
  }
}
