import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useShownPart } from '../use-shown-part.ts';
import { useFormats, useText } from '../../text/use-text.ts';
import { shownName } from '../author.ts';
import type { MessageEntry } from '../messages/entry.ts';

/** Messages removed within this time are announced together. */
const GATHERING_MS = 500;

/** The time for which the announcement stays for readers who go through the page by elements. */
const ANNOUNCED_MS = 10_000;

/** The facts that a screen reader needs about visible messages that were removed. */
export interface Removals {
  /** The list is closing up: rows that are drawn now are not new messages. */
  readonly isClosingUp: boolean;
  readonly announcement: string;
}

/** Announces removals. */
export function useRemovals(scroller: RefObject<HTMLElement | null>): Removals {
  const { messages } = useShownPart();
  const { conversation: text } = useText();
  const formats = useFormats();
  const [removed, setRemoved] = useState<readonly MessageEntry[]>([]);
  const [isClosingUp, setIsClosingUp] = useState(false);
  useEffect(() => {
    let gathered: readonly MessageEntry[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const announce = () => {
      setRemoved(gathered);
      setIsClosingUp(false);
      gathered = [];
      timer = setTimeout(() => {
        timer = undefined;
        setRemoved([]);
      }, ANNOUNCED_MS);
    };
    const off = messages.onRemoval((entry) => {
      setIsClosingUp(true);
      // A screen reader would not read the same text twice.
      setRemoved([]);
      if (isInView(scroller.current, entry.key)) gathered = [...gathered, entry];
      clearTimeout(timer);
      timer = setTimeout(announce, GATHERING_MS);
    });
    return () => {
      off();
      clearTimeout(timer);
    };
  }, [messages, scroller]);
  const [only] = removed;
  const announcement =
    removed.length > 1
      ? text.manyRemoved(formats.count(removed.length))
      : only && text.removed(shownName(only.author));
  return { isClosingUp, announcement: announcement ?? '' };
}

function isInView(scroller: HTMLElement | null, key: string): boolean {
  const row = scroller?.querySelector(`:scope .row[data-key="${CSS.escape(key)}"]`);
  if (scroller === null || row === null || row === undefined) return false;
  const view = scroller.getBoundingClientRect();
  const { top, bottom } = row.getBoundingClientRect();
  return bottom > view.top && top < view.bottom;
}
