import type {
  EmittingDatabase,
  EmittingTransaction,
  WriteWork,
} from '../../../server/src/ports/outbox/outbox.ts';

/** Changes to calls that are written together. */
export interface TogetherOptions {
  /** Work after the calls have read what they read before they write. */
  readonly between?: () => Promise<void>;
  /** The transaction that the work gets instead. */
  readonly around?: (tx: EmittingTransaction) => EmittingTransaction;
}

/** The outcome of calls that were written together. */
export interface WrittenTogether<Result> {
  readonly results: readonly PromiseSettledResult<Result>[];
  /** The calls that each attempt of a transaction was for. */
  readonly attempts: readonly (readonly unknown[])[];
}

/**
 * Lets verbs write at once: their first calls are queued in the order of the list, as soon as each of them has come to write or has
 * ended. What they write later is queued as it comes.
 */
export async function writeTogether<Result>(
  database: EmittingDatabase,
  verbs: readonly ((database: EmittingDatabase) => Promise<Result>)[],
  { between = async () => {}, around = (tx) => tx }: TogetherOptions = {},
): Promise<WrittenTogether<Result>> {
  const attempts: (readonly unknown[])[] = [];
  const works = new Map<unknown, unknown>();
  const noted = <Call, Written>(work: WriteWork<Call, Written>): WriteWork<Call, Written> => {
    const known = works.getOrInsertComputed(work, () => {
      const noting: WriteWork<Call, Written> = async (tx, calls) => {
        attempts.push(calls);
        return await work(around(tx), calls);
      };
      return noting;
    });
    // Guarantee: made above for the same work.
    return known as WriteWork<Call, Written>;
  };
  const waiting = new Map<number, () => void>();
  const coming = new Set(verbs.keys());
  const release = async () => {
    await between();
    for (const at of verbs.keys()) waiting.get(at)?.();
  };
  const came = (at: number) => {
    if (coming.delete(at) && coming.size === 0) void release();
  };
  const databaseOf = (at: number): EmittingDatabase => ({
    ...database,
    write(work, call, writing) {
      if (!coming.has(at)) return database.write(noted(work), call, writing);
      const { promise, resolve } =
        Promise.withResolvers<Awaited<ReturnType<typeof work>>[number]>();
      waiting.set(at, () => resolve(database.write(noted(work), call, writing)));
      came(at);
      return promise;
    },
  });
  const results = await Promise.allSettled(
    verbs.map(async (verb, at) => {
      try {
        return await verb(databaseOf(at));
      } finally {
        came(at);
      }
    }),
  );
  return { results, attempts };
}
