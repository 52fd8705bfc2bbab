import type { VirtualItem } from '@tanstack/virtual-core';
import { useEffect, useRef } from 'preact/hooks';
import { useShownPart } from '../use-shown-part.ts';
import type { TimelineRow } from './timeline.ts';
import type { RowVirtualizer } from './use-virtual-rows.ts';

/** The view of the reader before the list was drawn without a removed message. */
interface View {
  /** The visible rows, from the top, and how far below the upper edge they began. */
  readonly places: readonly { readonly key: VirtualItem['key']; readonly top: number }[];
  readonly isAtEnd: boolean;
  readonly hasFocus: boolean;
}

/**
 * Keeps visible rows in place when a message is removed, and the focus in the list. Call this before the virtualiser gets
 * the rows, and the returned function in a layout effect after those of the virtualiser.
 */
export function useSteadyRows(rows: readonly TimelineRow[]): (virtualizer: RowVirtualizer) => void {
  const { messages } = useShownPart();
  const hasRemoved = useRef(false);
  const drawn = useRef(rows);
  const known = useRef<RowVirtualizer | undefined>(undefined);
  const before = useRef<View | undefined>(undefined);
  useEffect(
    () =>
      messages.onRemoval(() => {
        hasRemoved.current = true;
      }),
    [messages],
  );
  if (drawn.current !== rows && hasRemoved.current && known.current !== undefined) {
    before.current = viewOf(known.current);
    hasRemoved.current = false;
  }
  drawn.current = rows;
  return (virtualizer) => {
    known.current = virtualizer;
    if (before.current !== undefined) restore(before.current, virtualizer);
    before.current = undefined;
  };
}

function viewOf(virtualizer: RowVirtualizer): View {
  const { scrollElement } = virtualizer;
  const offset = virtualizer.scrollOffset ?? 0;
  const height = scrollElement?.clientHeight ?? 0;
  return {
    places: virtualizer
      .getVirtualItems()
      .filter(({ start, end }) => end > offset && start < offset + height)
      .map(({ key, start }) => ({ key, top: start - offset })),
    isAtEnd: virtualizer.isAtEnd(virtualizer.options.scrollEndThreshold),
    hasFocus: scrollElement?.querySelector('.row:focus-within') instanceof HTMLElement,
  };
}

function restore({ places, isAtEnd, hasFocus }: View, virtualizer: RowVirtualizer): void {
  const { scrollElement } = virtualizer;
  const items = new Map(virtualizer.getVirtualItems().map((item) => [item.key, item]));
  const kept = places.find(({ key }) => items.has(key));
  const item = kept && items.get(kept.key);
  // The virtualiser itself keeps the topmost row in place, unless that is the removed one.
  if (scrollElement !== null && item !== undefined && kept !== undefined && kept !== places[0]) {
    scrollElement.scrollTop += item.start - (virtualizer.scrollOffset ?? 0) - kept.top;
  }
  // A message came in the same frame.
  if (isAtEnd && !virtualizer.isAtEnd(virtualizer.options.scrollEndThreshold)) {
    virtualizer.scrollToEnd();
  }
  if (hasFocus && scrollElement?.contains(document.activeElement) === false) {
    scrollElement.focus({ preventScroll: true });
  }
}
