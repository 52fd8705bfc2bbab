import type { Id } from '@hearth/protocol';
import { isAfter } from '../reading/new-messages.ts';
import type { TimelineRow } from './timeline.ts';

/** The row before the first new message. */
export const NEW_LINE = { kind: 'new', key: 'new' } as const;

/** The rows with a line before the first message after `afterId`, if it is known which that is. */
export function withNewLine(
  rows: readonly TimelineRow[],
  afterId: Id | undefined,
  isWhole: boolean,
): readonly TimelineRow[] {
  if (afterId === undefined) return rows;
  let first: number | undefined;
  for (let index = rows.length - 1; index >= 0; index -= 1) {
    const row = rows[index];
    if (row?.kind !== 'message' || row.delivery !== undefined) continue;
    if (!isAfter(row.message, afterId)) return inserted(rows, first);
    first = index;
  }
  return isWhole ? inserted(rows, first) : rows;
}

function inserted(rows: readonly TimelineRow[], index: number | undefined): readonly TimelineRow[] {
  return index === undefined ? rows : rows.toSpliced(index, 0, NEW_LINE);
}
