import { parseInput, ValidationError } from '@hearth/protocol';
import type { ZodType } from 'zod';

/** The place in a list after which its next page begins, as text for clients, who may not rely on its form. */
export function writeCursor(place: object): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

/** The place that a cursor stands for; undefined without one. Throws ValidationError for a text that is none. */
export function readCursor<Place>(
  schema: ZodType<Place>,
  cursor: string | undefined,
): Place | undefined {
  if (cursor === undefined) return undefined;
  try {
    return parseInput(schema, JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch {
    throw new ValidationError('cursor', 'must be that of the link to a next page');
  }
}

export interface Page<Entry> {
  readonly entries: readonly Entry[];
  /** The place where the next page begins; undefined if this is the last. */
  readonly cursor: string | undefined;
}

/** The first `limit` of rows, of which one more was read, and from where to continue. */
export function pageOf<Row>(
  rows: readonly Row[],
  limit: number,
  placeOf: (row: Row) => object,
): Page<Row> {
  const entries = rows.slice(0, limit);
  const last = entries.at(-1);
  const isLast = rows.length <= limit || last === undefined;
  return { entries, cursor: isLast ? undefined : writeCursor(placeOf(last)) };
}
