import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import type { FoundMessage } from '../reading/place.ts';
import { useConversation } from '../use-conversation.ts';
import type { RowList } from './use-row-list.ts';

/** How long the notice is shown that a message is not there. */
const SHOWN_MS = 10_000;

/** The message that the reader wants to see. */
export interface SoughtRow {
  readonly key: string | undefined;
  /** Why it is not shown, for a while. */
  readonly problem: 'missing' | 'failed' | undefined;
}

/** Scrolls to the message that the reader wants to see, each time it is sought. */
export function useSoughtMessage({ rows, virtualizer }: RowList): SoughtRow {
  const found = useConversation().place.found.value;
  const [shown, setShown] = useState<FoundMessage | undefined>(undefined);
  const [reported, setReported] = useState<FoundMessage | undefined>(undefined);
  const { key } = found ?? {};
  const isDrawn = found === shown;
  const index = isDrawn || key === undefined ? -1 : rows.findIndex((row) => row.key === key);
  useLayoutEffect(() => {
    if (index < 0) return;
    virtualizer.scrollToIndex(index, { align: 'center' });
    setShown(found);
  }, [virtualizer, index, found]);
  const isReported = found === undefined || key !== undefined || found === reported;
  useEffect(() => {
    if (isReported) return undefined;
    const timer = setTimeout(() => setReported(found), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isReported, found]);
  return { key, problem: isReported ? undefined : found.hasFailed ? 'failed' : 'missing' };
}
