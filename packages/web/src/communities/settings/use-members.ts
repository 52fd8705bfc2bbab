import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Id, Member } from '@hearth/protocol';
import { PagedList } from '../paged-list.ts';
import { useCommunities } from '../use-communities.ts';

/** A search begins that long after the last change. */
const WAIT_MS = 300;

/** The members whose names begin like what was typed; all of them for nothing. */
export function useMembers(id: Id, typed: string): PagedList<Member> {
  const { requests } = useCommunities();
  const [searched, setSearched] = useState(typed.trim());
  useEffect(() => {
    const timer = setTimeout(() => setSearched(typed.trim()), WAIT_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const list = useMemo(
    () =>
      new PagedList<Member>((cursor) =>
        requests.members(id, {
          ...(searched !== '' && { q: searched }),
          ...(cursor !== undefined && { cursor }),
        }),
      ),
    [requests, id, searched],
  );
  useEffect(() => void list.load(), [list]);
  return list;
}
