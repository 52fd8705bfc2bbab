import type { EmittingTransaction } from './emitting-transaction.ts';

/**
 * Does several calls in one transaction. Resolves with their results in the same order. Throws {@link DroppedOut} if some of them
 * must not be done: then nothing is, and the others are done again without them. It may run again, so it must do nothing but call
 * the transaction.
 */
export type WriteWork<Call, Result> = (
  tx: EmittingTransaction,
  calls: readonly Call[],
) => Promise<readonly Result[]>;

/** The caller, the subjects and the size of something to write. */
export interface Writing {
  /**
   * The subjects that it locks, the busiest first. A process has at most one transaction for a subject at a time. Calls
   * with the same work whose first subject is the same are written together.
   */
  readonly subjects: readonly [first: string, ...others: string[]];
  /** The caller. Callers who wait for the same subject take turns. */
  readonly caller: string;
  /** About how many bytes it keeps in memory meanwhile; few by default. */
  readonly bytes?: number;
  /** True if it comes before what is not urgent, as what moderators do. */
  readonly isUrgent?: boolean;
}

/** A call that waits to be written. */
export interface Waiting extends Required<Writing> {
  /** When it came, on the clock of the queues. */
  readonly cameAtMs: number;
  readonly work: WriteWork<unknown, unknown>;
  readonly call: unknown;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** The work of a call of {@link alone}. */
export type AloneWork<Result> = (tx: EmittingTransaction) => Promise<Result>;

/** Does a call that is work itself, each in a transaction of its own. */
export async function alone<Result>(
  tx: EmittingTransaction,
  works: readonly AloneWork<Result>[],
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const work of works) results.push(await work(tx));
  return results;
}

/** Calls that wait for one subject. Urgent calls come first, then callers in turn. */
export class WriteQueue {
  readonly subject: string;
  readonly #urgent = new Map<string, Waiting[]>();
  readonly #others = new Map<string, Waiting[]>();
  readonly #counts = new Map<Waiting['work'], number>();
  #count = 0;
  #bytes = 0;

  constructor(subject: string) {
    this.subject = subject;
  }

  get count(): number {
    return this.#count;
  }

  /** The number of calls that wait to be written in each way. */
  get counts(): ReadonlyMap<Waiting['work'], number> {
    return this.#counts;
  }

  get bytes(): number {
    return this.#bytes;
  }

  add(waiting: Waiting): void {
    const callers = waiting.isUrgent ? this.#urgent : this.#others;
    callers.getOrInsertComputed(waiting.caller, () => []).push(waiting);
    this.#add(waiting, 1);
  }

  /** Takes the next call that `fits`; undefined if none does. */
  take(fits: (waiting: Waiting) => boolean): Waiting | undefined {
    return this.#takeFrom(this.#urgent, fits) ?? this.#takeFrom(this.#others, fits);
  }

  #takeFrom(
    callers: Map<string, Waiting[]>,
    fits: (waiting: Waiting) => boolean,
  ): Waiting | undefined {
    for (const [caller, own] of callers) {
      const [next] = own;
      if (next === undefined || !fits(next)) continue;
      own.shift();
      // A caller who has had a turn comes after all others.
      callers.delete(caller);
      if (own.length > 0) callers.set(caller, own);
      this.#add(next, -1);
      return next;
    }
    return undefined;
  }

  #add({ work, bytes }: Waiting, sign: 1 | -1): void {
    this.#count += sign;
    this.#bytes += sign * bytes;
    const count = (this.#counts.get(work) ?? 0) + sign;
    if (count > 0) this.#counts.set(work, count);
    else this.#counts.delete(work);
  }
}

/** The outcome of a call that is not done with the others. */
export type Outcome = { readonly result: unknown } | { readonly error: unknown };

/** Some calls of a transaction must not be done, or have nothing to do. */
export class DroppedOut extends Error {
  /** Their outcomes, by their places in the transaction. */
  readonly outcomes: ReadonlyMap<number, Outcome>;

  constructor(outcomes: ReadonlyMap<number, Outcome>) {
    super('some calls of a transaction are not done');
    this.outcomes = outcomes;
  }
}

/** Lets calls drop out of a transaction, if there are any. */
export function dropOut(outcomes: readonly (readonly [number, Outcome])[]): void {
  if (outcomes.length > 0) throw new DroppedOut(new Map(outcomes));
}

/** Does work for some of the calls of a transaction. If some of these drop out, they do with their places among all, which are given. */
export async function amongAll<Result>(
  places: readonly number[],
  work: () => Promise<readonly Result[]>,
): Promise<readonly Result[]> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DroppedOut)) throw error;
    const outcomes = Array.from(error.outcomes, ([at, outcome]) => {
      return [places[at] ?? at, outcome] as const;
    });
    throw new DroppedOut(new Map(outcomes));
  }
}

/** The result of work for several calls that was given only one. If it drops out, this rejects with what it drops out with. */
export async function onlyOf<Result>(work: () => Promise<readonly Result[]>): Promise<Result> {
  try {
    const [result] = await work();
    // Guarantee: there are as many results as calls.
    return result as Result;
  } catch (error) {
    const outcome = error instanceof DroppedOut ? error.outcomes.get(0) : undefined;
    throw outcome !== undefined && 'error' in outcome ? outcome.error : error;
  }
}
