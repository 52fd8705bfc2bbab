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

/** More than what reads from the embedded engine before a transaction takes. */
const TURNS = 20;

/** The embedded engine rolls back a transaction whose own work takes 250 ms. */
const MOST_MS = 50;

/**
 * Resolves when `work`, which was begun during a transaction, has ended or waits for a lock. On the embedded engine, where it
 * waits for its turn to write, it has some turns of the event loop to read what it reads before, fewer on a busy machine.
 */
export async function endedOrWaiting(engine: Engine, work: Promise<unknown>): Promise<void> {
  const beganAtMs = performance.now();
  let turns = 0;
  let hasEnded = false;
  const end = () => {
    hasEnded = true;
  };
  work.then(end, end);
  await until(async () => {
    turns += 1;
    const waiting = await countWaiting(engine);
    if (hasEnded || waiting !== undefined) return hasEnded || waiting !== 0;
    return turns > TURNS || performance.now() - beganAtMs > MOST_MS;
  });
}
