import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import type { SoughtMessage } from '../conversation.ts';
import { reachMessage } from '../messages/reach-message.ts';
import { useConversation } from '../use-conversation.ts';
import type { RowList } from './use-row-list.ts';

/** How long the notice is shown that a message is not there. */
const SHOWN_MS = 10_000;

/** What came of looking for a message. */
interface Search {
  readonly sought: SoughtMessage;
  /** The key of its row; undefined if it is not there. */
  readonly key: string | undefined;
}

/** The message that the reader wants to see. */
export interface SoughtRow {
  readonly key: string | undefined;
  readonly isMissing: boolean;
}

/** Scrolls to the message that the reader wants to see, each time it is sought. */
export function useSoughtMessage({ rows, virtualizer }: RowList): SoughtRow {
  const { messages, sought } = useConversation();
  const wanted = sought.value;
  const [search, setSearch] = useState<Search | undefined>(undefined);
  useEffect(() => {
    if (wanted === undefined) return undefined;
    let isOver = false;
    void reachMessage(messages, wanted.id).then((entry) => {
      if (!isOver) setSearch({ sought: wanted, key: entry?.key });
    });
    return () => {
      isOver = true;
    };
  }, [messages, wanted]);

  const [shown, setShown] = useState<Search | undefined>(undefined);
  const { key } = search ?? {};
  const isDrawn = search === shown;
  const index = isDrawn || key === undefined ? -1 : rows.findIndex((row) => row.key === key);
  useLayoutEffect(() => {
    if (index < 0) return;
    virtualizer.scrollToIndex(index, { align: 'center' });
    setShown(search);
  }, [virtualizer, index, search]);
  const isNotFound = search !== undefined && key === undefined;
  useEffect(() => {
    if (!isNotFound) return undefined;
    const timer = setTimeout(() => setSearch(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isNotFound, search]);
  return { key, isMissing: isNotFound };
}
