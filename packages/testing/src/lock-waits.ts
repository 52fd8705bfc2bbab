import { sql } from 'kysely';
import type { Database } from '../../server/src/ports/database/database.ts';
import { until } from './until.ts';

interface Engine extends Pick<Database, 'reader'> {
  readonly engine: 'sqlite' | 'postgres';
}

/** Counts the transactions that wait for a lock; undefined on the embedded engine, which runs one transaction after another. */
export async function countWaiting({ engine, reader }: Engine): Promise<number | undefined> {
  if (engine === 'sqlite') return undefined;
  const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return (await waiting.execute(reader)).rows.length;
}

/** Resolves when `work`, which was begun during a transaction, has ended or waits for a lock: at once on the embedded engine. */
export async function endedOrWaiting(engine: Engine, work: Promise<unknown>): Promise<void> {
  let hasEnded = false;
  const end = () => {
    hasEnded = true;
  };
  work.then(end, end);
  await until(async () => hasEnded || (await countWaiting(engine)) !== 0);
}
