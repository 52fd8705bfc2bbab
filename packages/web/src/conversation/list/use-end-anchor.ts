import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useSettings } from '../../settings/use-settings.ts';
import { useConversation } from '../use-conversation.ts';
import { useShownPart } from '../use-shown-part.ts';
import { useLooking } from './use-looking.ts';
import type { TimelineRow } from './timeline.ts';
import type { RowVirtualizer } from './use-virtual-rows.ts';

/** The list jumps to the end if that is more than this many screens away, and scrolls otherwise. */
const MOST_SCREENS = 4;

/** The time that the first page takes to be drawn. */
const SETTLE_MS = 1_000;

/** The place of the reader, and the way to the newest message. */
export interface EndAnchor {
  readonly isAtEnd: boolean;
  /** Rows that are added now are new messages, and not older ones or ones that are scrolled to. */
  readonly isLive: boolean;
  readonly jump: () => void;
}

/** Starts at the end and stays there until the reader leaves it; returns there when the reader writes. */
export function useEndAnchor(virtualizer: RowVirtualizer, rows: readonly TimelineRow[]): EndAnchor {
  const { outbox, place, kept, readMark } = useConversation();
  const shown = useShownPart().messages;
  const settings = useSettings();
  const isAtEnd = shown.isLive && virtualizer.isAtEnd(virtualizer.options.scrollEndThreshold);
  const hasRows = rows.length > 0;
  // Messages of the last visit are neither news nor read again.
  const isKept = kept.sinceMs.value !== undefined;
  const isLoaded =
    (hasRows && !isKept) || shown.older.value === 'none' || shown.older.value === 'unavailable';
  useLayoutEffect(() => {
    if (hasRows && place.part.peek().messages.isLive) virtualizer.scrollToEnd();
    // Only at the beginning: a part of the history that has reached the newest messages stays where it is.
  }, [virtualizer, place, hasRows]);

  const newestPending = outbox.pending.value.at(-1)?.key;
  const knownPending = useRef(newestPending);
  useLayoutEffect(() => {
    const isNew = newestPending !== knownPending.current;
    knownPending.current = newestPending;
    if (newestPending === undefined || !isNew) return;
    if (place.part.peek().messages.isLive) virtualizer.scrollToEnd();
    place.showNewest();
  }, [virtualizer, place, newestPending]);

  useKeptEnd(virtualizer);
  useLooking(isAtEnd, hasRows && !isKept);
  const isSettled = useIsSettled(isLoaded);
  const jump = useCallback(() => {
    readMark.dismiss();
    const { isLive } = place.part.peek().messages;
    place.showNewest();
    if (!isLive) return;
    const isNear = virtualizer.getDistanceFromEnd() < MOST_SCREENS * innerHeight;
    const isStill =
      settings.motion.peek() === 'off' || matchMedia('(prefers-reduced-motion: reduce)').matches;
    virtualizer.scrollToEnd({ behavior: isNear && !isStill ? 'smooth' : 'auto' });
    virtualizer.scrollElement?.focus({ preventScroll: true });
  }, [virtualizer, settings, place, readMark]);
  return { isAtEnd, isLive: isAtEnd && isSettled, jump };
}

/** Keeps the end of the list in view when its room changes, if it was in view before. */
function useKeptEnd(virtualizer: RowVirtualizer): void {
  const { place } = useConversation();
  const wasAtEnd = useRef(true);
  useEffect(() => {
    const element = virtualizer.scrollElement;
    if (element === null) return undefined;
    const remember = () => {
      wasAtEnd.current = isAtEndOf(virtualizer);
    };
    // The message box grew, a keyboard came up, or the window got smaller.
    const observer = new ResizeObserver(() => {
      if (wasAtEnd.current && place.part.peek().messages.isLive) virtualizer.scrollToEnd();
    });
    element.addEventListener('scroll', remember, { passive: true });
    observer.observe(element);
    return () => {
      element.removeEventListener('scroll', remember);
      observer.disconnect();
    };
  }, [virtualizer, place]);

  const found = place.found.value;
  useLayoutEffect(() => {
    if (found?.key === undefined) return undefined;
    // A list that is scrolled to where it is says nothing.
    wasAtEnd.current = false;
    const frame = requestAnimationFrame(() => {
      wasAtEnd.current = isAtEndOf(virtualizer);
    });
    return () => cancelAnimationFrame(frame);
  }, [virtualizer, found]);
}

/** Returns whether the list is at its end now. The virtualiser knows it only after the browser has reported the scrolling. */
function isAtEndOf({ scrollElement, options }: RowVirtualizer): boolean {
  if (scrollElement === null) return false;
  const { scrollHeight, scrollTop, clientHeight } = scrollElement;
  return scrollHeight - scrollTop - clientHeight <= options.scrollEndThreshold;
}

/** Returns whether the first page has been drawn. */
function useIsSettled(isLoaded: boolean): boolean {
  const [isSettled, setIsSettled] = useState(false);
  useEffect(() => {
    if (!isLoaded) return undefined;
    const timer = setTimeout(() => setIsSettled(true), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [isLoaded]);
  return isSettled;
}
