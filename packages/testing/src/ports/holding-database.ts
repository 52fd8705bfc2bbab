import { withQueues, type EmittingDatabase } from '../../../server/src/ports/outbox/with-queues.ts';
import type { WriteBounds } from '../../../server/src/ports/outbox/write-bounds.ts';

/** A database whose queues have one transaction that is under way until it is let go. */
export interface HoldingDatabase {
  readonly database: EmittingDatabase;
  /** Resolves when the first transaction has begun. */
  readonly hasBegun: Promise<void>;
  /** Returns the number of transactions that have begun. */
  begun(): number;
  /** Resolves when so many calls have come to the queues. */
  queued(count: number): Promise<void>;
  letGo(): void;
}

/** Holds the first transaction of a database before it does anything. */
export function holdingDatabase(
  database: EmittingDatabase,
  bounds?: Partial<WriteBounds>,
): HoldingDatabase {
  const [first, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let begun = 0;
  const queues = withQueues(
    {
      ...database,
      async transaction(work, options) {
        begun += 1;
        first.resolve();
        if (begun === 1) await held.promise;
        return await database.transaction(work, options);
      },
    },
    bounds,
  );
  const calls: (() => void)[] = [];
  let came = 0;
  const note = () => {
    came += 1;
    for (const call of calls.splice(0)) call();
  };
  return {
    database: {
      ...queues,
      write(...given) {
        const writing = queues.write(...given);
        note();
        return writing;
      },
      writeAlone(...given) {
        const writing = queues.writeAlone(...given);
        note();
        return writing;
      },
    },
    hasBegun: first.promise,
    begun: () => begun,
    async queued(count) {
      while (came < count) {
        const { promise, resolve } = Promise.withResolvers<void>();
        calls.push(resolve);
        await promise;
      }
    },
    letGo: held.resolve,
  };
}
