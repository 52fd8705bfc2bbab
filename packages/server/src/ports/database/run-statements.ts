import { CompiledQuery } from 'kysely';
import type { Statement, Writer } from './database.ts';

/** Runs statements one after another in a transaction, and tells how many rows each has changed. */
export async function runStatements(
  writer: Writer,
  statements: readonly Statement[],
): Promise<readonly number[]> {
  const changed: number[] = [];
  for (const { text, values } of statements) {
    const { numAffectedRows } = await writer.executeQuery(CompiledQuery.raw(text, [...values]));
    changed.push(Number(numAffectedRows ?? 0));
  }
  return changed;
}
