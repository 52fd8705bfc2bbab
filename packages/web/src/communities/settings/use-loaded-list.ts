import { useEffect, useMemo } from 'preact/hooks';
import type { Page } from '../page.ts';
import { PagedList } from '../paged-list.ts';

/** A list that is loaded with its page; `read` must stay the same. */
export function useLoadedList<Entry>(
  read: (cursor: string | undefined) => Promise<Page<Entry>>,
): PagedList<Entry> {
  const list = useMemo(() => new PagedList(read), [read]);
  useEffect(() => void list.load(), [list]);
  return list;
}
