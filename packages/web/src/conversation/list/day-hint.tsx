import { DayJump } from '../reading/day-jump.tsx';
import type { RowList } from './use-row-list.ts';

/** The day of the topmost row, over the list. */
export function DayHint({ list }: { readonly list: RowList }) {
  const { rows, virtualizer } = list;
  const topmost = virtualizer.getVirtualItemForOffset(virtualizer.scrollOffset ?? 0);
  const row = rows[topmost?.index ?? 0];
  // Not needed if the day is there anyway.
  if (row?.kind !== 'message') return null;
  return (
    <div class="day-hint">
      <DayJump dayMs={row.message.createdAtMs} />
    </div>
  );
}
