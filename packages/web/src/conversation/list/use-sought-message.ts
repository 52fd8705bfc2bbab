import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { FoundMessage } from '../reading/place.ts';
import { useConversation } from '../use-conversation.ts';
import { listenToKeys } from '../../ui/own-keys.ts';
import type { RowList } from './use-row-list.ts';

/** The time for which the notice is shown that a message is not there. */
const SHOWN_MS = 10_000;

/** The message that the reader wants to see. */
export interface SoughtRow {
  readonly key: string | undefined;
  /** Why it is not shown, for a while. */
  readonly problem: 'missing' | 'failed' | undefined;
}

/** Events of a reader who looks elsewhere, besides those of keys. */
const OWN_MOVES = ['wheel', 'touchmove', 'pointerdown'] as const;

/**
 * Scrolls to the message that the reader wants to see, each time it is sought, and again if rows come before it, until the
 * reader moves.
 */
export function useSoughtMessage({ rows, virtualizer }: RowList): SoughtRow {
  const found = useConversation().place.found.value;
  const [reported, setReported] = useState<FoundMessage | undefined>(undefined);
  const { key } = found ?? {};
  const index = useMemo(() => rows.findIndex((row) => row.key === key), [rows, key]);
  const latest = useRef(found);
  latest.current = found;
  const left = useRef<FoundMessage | undefined>(undefined);
  useEffect(() => {
    const element = virtualizer.scrollElement;
    if (element === null) return undefined;
    const leave = () => {
      left.current = latest.current;
    };
    const endKeys = listenToKeys(leave, element);
    for (const name of OWN_MOVES) element.addEventListener(name, leave, { passive: true });
    return () => {
      endKeys();
      for (const name of OWN_MOVES) element.removeEventListener(name, leave);
    };
  }, [virtualizer]);
  useLayoutEffect(() => {
    if (index < 0 || found === left.current) return;
    virtualizer.scrollToIndex(index, { align: 'center' });
  }, [virtualizer, index, found]);
  const isReported = found === undefined || key !== undefined || found === reported;
  useEffect(() => {
    if (isReported) return undefined;
    const timer = setTimeout(() => setReported(found), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isReported, found]);
  return { key, problem: isReported ? undefined : found.hasFailed ? 'failed' : 'missing' };
}
