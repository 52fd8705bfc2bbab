import { useToday } from '../../ui/use-today.ts';
import { useFormats } from '../../text/use-text.ts';
import type { RowList } from './use-row-list.ts';

/** The day of the topmost row, over the list. */
export function DayHint({ list }: { readonly list: RowList }) {
  const formats = useFormats();
  const today = useToday();
  const { rows, virtualizer } = list;
  const topmost = virtualizer.getVirtualItemForOffset(virtualizer.scrollOffset ?? 0);
  const row = rows[topmost?.index ?? 0];
  // Not needed if the day is there anyway.
  if (row?.kind !== 'message') return null;
  return (
    <p class="day-hint" aria-hidden="true">
      {formats.day(row.message.createdAtMs, today)}
    </p>
  );
}
