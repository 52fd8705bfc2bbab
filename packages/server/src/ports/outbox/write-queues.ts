import type { TransactionOptions } from '../database/database.ts';
import type { EmittingTransaction } from './emitting-transaction.ts';
import { FEW_BYTES, WRITE_BOUNDS, WriteLoad, type WriteBounds } from './write-bounds.ts';
import {
  DroppedOut,
  WriteQueue,
  type Waiting,
  type WriteWork,
  type Writing,
} from './write-queue.ts';

export interface WriteQueuesOptions {
  /** Runs a transaction. Resolves when its events are handed over, too. */
  readonly transaction: <Result>(
    work: (tx: EmittingTransaction) => Promise<Result>,
    options: TransactionOptions,
  ) => Promise<Result>;
  /** The number of transactions that are begun at once. With 1, a transaction is for several subjects that wait. */
  readonly atOnce: number;
  /**
   * Returns what is thrown instead of the error of a transaction; undefined if each of its calls may be tried alone.
   */
  readonly failureOf: (error: unknown) => unknown;
  readonly nowMs: () => number;
  /** For tests. */
  readonly bounds?: Partial<WriteBounds> | undefined;
}

/**
 * The number of calls of each other queue that a transaction is also for, so that a few calls do not wait for all of a
 * busy queue.
 */
const OF_OTHERS = 10;

/** The time after which the subjects of a call that others have passed are kept free for it, in milliseconds. */
export const KEPT_FREE_AFTER_MS = 100;

/** A transaction that is under way, or about to begin. */
interface Batch {
  readonly calls: Waiting[];
  readonly subjects: Set<string>;
  bytes: number;
  startedAtMs: number;
}

/**
 * Writes what waits for the same subject together. A process has one transaction for a subject at a time, and what comes
 * meanwhile is written by the next one: so a busy subject takes one connection, however many wait for it, and all others go on.
 * Subjects take turns for connections.
 */
export class WriteQueues {
  readonly #options: WriteQueuesOptions;
  readonly #load: WriteLoad;
  readonly #queues = new Map<string, WriteQueue>();
  /** The queues that may begin, in the order in which they came. */
  readonly #ready = new Set<WriteQueue>();
  /** The transactions that hold subjects. */
  readonly #held = new Map<string, Batch>();
  /** The queues that wait for a subject which the transaction of another queue holds. */
  readonly #blocked = new Map<string, Set<WriteQueue>>();
  /** The calls for which subjects are kept free. */
  readonly #keptFor = new Map<string, Waiting>();
  #running = 0;

  constructor(options: WriteQueuesOptions) {
    this.#options = options;
    this.#load = new WriteLoad({ ...WRITE_BOUNDS, ...options.bounds });
  }

  /**
   * Does a call, together with others that have the same work and wait for the same. Resolves when it is committed and its events
   * are handed over. Rejects with what becomes of this call alone, and with RateLimitedError `busy` if too much waits already.
   */
  write<Call, Result>(
    work: WriteWork<Call, Result>,
    call: Call,
    { subjects, caller, bytes = FEW_BYTES, isUrgent = false }: Writing,
  ): Promise<Result> {
    return new Promise((resolve, reject) => {
      const cameAtMs = this.#options.nowMs();
      const own = { subjects, caller, bytes, isUrgent, cameAtMs, work, call, resolve, reject };
      // Guarantee: only `work` gets the call, and only its results resolve the promise.
      this.#add(own as unknown as Waiting);
    });
  }

  #add(waiting: Waiting): void {
    const [subject] = waiting.subjects;
    const known = this.#queues.get(subject);
    const queue = known ?? new WriteQueue(subject);
    const holder = this.#held.get(subject);
    const runningMs = holder === undefined ? 0 : waiting.cameAtMs - holder.startedAtMs;
    this.#load.add(waiting, queue, runningMs);
    queue.add(waiting);
    if (known === undefined) this.#queues.set(subject, queue);
    // If the subject is held, the end of its transaction makes the queue ready. Until then nobody looks through it.
    if (holder === undefined) this.#ready.add(queue);
    this.#begin();
  }

  #begin(): void {
    for (const queue of this.#ready) {
      if (this.#running >= this.#options.atOnce) return;
      this.#ready.delete(queue);
      const batch: Batch = {
        calls: [],
        subjects: new Set(),
        bytes: 0,
        startedAtMs: this.#options.nowMs(),
      };
      // The first call at once, so that nobody else holds what it needs when the transaction begins.
      if (this.#takeOne(batch, queue)) void this.#run(batch, queue);
    }
  }

  /** Never rejects. */
  async #run(batch: Batch, queue: WriteQueue): Promise<void> {
    this.#running += 1;
    const { transaction, failureOf } = this.#options;
    const { calls } = batch;
    const connection = connectionFor(batch);
    let isFull = false;
    let isCommitted = false;
    const onCommit = () => {
      if (isCommitted) return;
      isCommitted = true;
      this.#load.note(calls, this.#options.nowMs() - batch.startedAtMs, queue);
      this.#end(batch);
    };
    while (calls.length > 0 && !isCommitted) {
      try {
        const results = await transaction(
          async (tx) => {
            if (!isFull) this.#fill(batch, queue);
            isFull = true;
            return await workOf(batch)(
              tx,
              calls.map(({ call }) => call),
            );
          },
          { connection, onCommit },
        );
        onCommit();
        for (const [at, { resolve }] of calls.entries()) resolve(results[at]);
      } catch (error) {
        if (!isFull) this.#fill(batch, queue);
        isFull = true;
        await this.#settle(batch, error, failureOf(error));
      }
    }
    if (!isCommitted) this.#end(batch);
  }

  /** Settles calls of a transaction that failed. Those that are left in it are to be done again. */
  async #settle(batch: Batch, error: unknown, failure: unknown): Promise<void> {
    const { calls } = batch;
    if (error instanceof DroppedOut) {
      const all = calls.splice(0);
      for (const [at, waiting] of all.entries()) {
        const outcome = error.outcomes.get(at);
        if (outcome === undefined) calls.push(waiting);
        else if ('result' in outcome) waiting.resolve(outcome.result);
        else waiting.reject(outcome.error);
      }
      if (calls.length === all.length) for (const { reject } of calls.splice(0)) reject(error);
    } else if (failure !== undefined || calls.length === 1) {
      for (const { reject } of calls.splice(0)) reject(failure ?? error);
    } else {
      for (const waiting of calls.splice(0)) await this.#tryAlone(waiting);
    }
  }

  async #tryAlone(waiting: Waiting): Promise<void> {
    const { transaction, failureOf } = this.#options;
    const { work, call, resolve, reject } = waiting;
    try {
      const results = await transaction((tx) => work(tx, [call]), {
        connection: connectionFor({ calls: [waiting] }),
      });
      resolve(results[0]);
    } catch (error) {
      const outcome = error instanceof DroppedOut ? error.outcomes.get(0) : undefined;
      if (outcome === undefined) reject(failureOf(error) ?? error);
      else if ('result' in outcome) resolve(outcome.result);
      else reject(outcome.error);
    }
  }

  /** Takes as much of what waits as one transaction may do. */
  #fill(batch: Batch, queue: WriteQueue): void {
    while (this.#takeOne(batch, queue));
    if (this.#options.atOnce > 1) return;
    for (const other of this.#ready) {
      for (let taken = 0; taken < OF_OTHERS && this.#takeOne(batch, other); taken += 1) {
        this.#ready.delete(other);
      }
    }
  }

  #takeOne(batch: Batch, queue: WriteQueue): boolean {
    // Before each call that waits is looked at.
    if (!this.#load.hasRoom(batch.calls)) return false;
    const waiting = queue.take((next) => {
      if (!this.#load.fits(batch.calls, batch.bytes, next)) return false;
      const blocker = next.subjects.find((subject) => this.#isTaken(subject, batch, next));
      if (blocker === undefined) return true;
      this.#blocked.getOrInsertComputed(blocker, () => new Set()).add(queue);
      if (blocker !== queue.subject) this.#keepFree(next);
      return false;
    });
    if (waiting === undefined) return false;
    this.#load.remove(waiting);
    batch.calls.push(waiting);
    batch.bytes += waiting.bytes;
    for (const subject of waiting.subjects) {
      batch.subjects.add(subject);
      this.#held.set(subject, batch);
      if (this.#keptFor.get(subject) === waiting) this.#keptFor.delete(subject);
    }
    return true;
  }

  #isTaken(subject: string, batch: Batch, call: Waiting): boolean {
    const holder = this.#held.get(subject);
    if (holder !== undefined && holder !== batch) return true;
    const kept = this.#keptFor.get(subject);
    return kept !== undefined && kept !== call && !call.isUrgent;
  }

  /**
   * Keeps all subjects free for a call that others have passed for long, because they need fewer. Nothing is kept for it as long as
   * one of them is kept for another call, so that no two calls wait for each other.
   */
  #keepFree(call: Waiting): void {
    if (this.#options.nowMs() - call.cameAtMs < KEPT_FREE_AFTER_MS) return;
    if (call.subjects.some((subject) => this.#keptFor.has(subject))) return;
    for (const subject of call.subjects) this.#keptFor.set(subject, call);
  }

  /** Lets others begin with what a transaction held. */
  #end(batch: Batch): void {
    this.#running -= 1;
    for (const subject of batch.subjects) {
      this.#held.delete(subject);
      // Before the queues of what was held, which have had a turn.
      for (const blocked of this.#blocked.get(subject) ?? []) {
        if (!this.#held.has(blocked.subject) && !batch.subjects.has(blocked.subject)) {
          this.#ready.add(blocked);
        }
      }
      this.#blocked.delete(subject);
    }
    for (const subject of batch.subjects) {
      const queue = this.#queues.get(subject);
      if (queue?.count === 0) this.#queues.delete(subject);
      else if (queue !== undefined) this.#ready.add(queue);
    }
    this.#begin();
  }
}

function connectionFor({ calls: [first] }: Pick<Batch, 'calls'>): 'kept' | 'ordinary' {
  return first?.isUrgent === true ? 'kept' : 'ordinary';
}

function workOf({ calls: [first] }: Batch): WriteWork<unknown, unknown> {
  if (first === undefined) throw new TypeError('a transaction without calls');
  return first.work;
}
