import type { InstanceContext } from '../../server/src/instance-context.ts';
import type { TransactionOptions } from '../../server/src/ports/database/database.ts';
import { withQueues, type EmittingTransaction } from '../../server/src/ports/outbox/outbox.ts';

/** A context whose transactions are counted, each attempt for itself: one that runs again had met a deadlock. */
export interface CountedAttempts {
  readonly ctx: InstanceContext;
  attempts: number;
}

/** Counts the attempts of transactions. `beforeEmit` runs in them before each event. */
export function countedAttempts(
  ctx: InstanceContext,
  beforeEmit: (stream: string) => Promise<unknown> = async () => {},
): CountedAttempts {
  const { database } = ctx;
  const counted = {
    attempts: 0,
    ctx: {
      ...ctx,
      database: withQueues({
        ...database,
        transaction: <Result>(
          work: (tx: EmittingTransaction) => Promise<Result>,
          options?: TransactionOptions,
        ) =>
          database.transaction((tx) => {
            counted.attempts += 1;
            const emit: typeof tx.emit = async (publication, subject) => {
              await beforeEmit(publication.stream);
              await tx.emit(publication, subject);
            };
            const emitAll: typeof tx.emitAll = async (emissions) => {
              for (const [{ stream }] of emissions) await beforeEmit(stream);
              await tx.emitAll(emissions);
            };
            return work({ ...tx, sql: tx.sql, emit, emitAll });
          }, options),
      }),
    },
  };
  return counted;
}
