import type { Id } from '@hearth/protocol';
import { sql, type SelectQueryBuilder } from 'kysely';

/** A range between two ids: the part right after `after` if there is no `before`, otherwise the newest. */
export interface IdRange {
  readonly after?: Id | undefined;
  readonly before?: Id | undefined;
  readonly limit: number;
}

/** Returns whether a range begins after an id and has no end, so that its first ones are the oldest. */
export function isUpwards({ after, before }: IdRange): boolean {
  return after !== undefined && before === undefined;
}

/** The rows of a table that are in a range: the oldest first if it is upwards, otherwise the newest. */
export async function rowsBetween<Tables, Table extends keyof Tables, Row>(
  table: SelectQueryBuilder<Tables, Table, Row>,
  range: IdRange,
): Promise<readonly Row[]> {
  const { after, before, limit } = range;
  const id = sql.ref<Id>('id');
  let query = table;
  if (after !== undefined) query = query.where(id, '>', after);
  if (before !== undefined) query = query.where(id, '<', before);
  return await query
    .orderBy(id, isUpwards(range) ? 'asc' : 'desc')
    .limit(limit)
    .execute();
}

/** Reads the rows of a range, the newest always first. */
export async function newestBetween<Tables, Table extends keyof Tables, Row>(
  table: SelectQueryBuilder<Tables, Table, Row>,
  range: IdRange,
): Promise<readonly Row[]> {
  const rows = await rowsBetween(table, range);
  return isUpwards(range) ? rows.toReversed() : rows;
}
