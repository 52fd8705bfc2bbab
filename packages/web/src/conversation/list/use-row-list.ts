import { defaultRangeExtractor, measureElement, type Range } from '@tanstack/virtual-core';
import type { RefObject } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useConversation } from '../use-conversation.ts';
import { useShownPart } from '../use-shown-part.ts';
import { RowEstimates } from './row-estimate.ts';
import type { TimelineRow } from './timeline.ts';
import { useSteadyRows } from './use-steady-rows.ts';
import { useTimeline } from './use-timeline.ts';
import { useVirtualRows, type RowVirtualizer } from './use-virtual-rows.ts';

/** Rows drawn beyond both edges. */
const OVERSCAN = 8;

/** The number of rows before the first one at which older messages are requested. */
const OLDER_AHEAD = 25;

/** The number of rows after the last one at which newer messages are requested. */
const NEWER_AHEAD = 25;

/** Room for the state of older messages, and below the newest; in pixels. */
const PADDING = { start: 64, end: 16 } as const;

/** The reader counts as being at the end within this distance, in pixels. */
const END = 80;

/** The rows, and which of them are drawn where. */
export interface RowList {
  readonly rows: readonly TimelineRow[];
  readonly virtualizer: RowVirtualizer;
}

/** The rows of the conversation in an element that scrolls; requests older ones before the reader gets to the first. */
export function useRowList(scroller: RefObject<HTMLElement | null>): RowList {
  const { messages } = useShownPart();
  const { place } = useConversation();
  const { rows, isLive } = useTimeline();
  const wasLive = useRef(isLive);
  const [estimates] = useState(() => new RowEstimates());
  const getItemKey = useCallback((index: number) => rows[index]?.key ?? index, [rows]);
  const rangeExtractor = useCallback(
    (range: Range) => withFocused(range, scroller.current, rows),
    [rows, scroller],
  );
  const steady = useSteadyRows(rows);
  const virtualizer = useVirtualRows({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => {
      const row = rows[index];
      return row === undefined ? 0 : estimates.estimate(row);
    },
    measureElement: (element, entry, instance) => {
      const height = measureElement(element, entry, instance);
      const row = rows[instance.indexFromElement(element)];
      if (row !== undefined) estimates.learn(row, height);
      return height;
    },
    getItemKey,
    rangeExtractor,
    overscan: OVERSCAN,
    paddingStart: PADDING.start,
    paddingEnd: PADDING.end,
    anchorTo: 'end',
    // The messages that come after a part of the history are not new.
    followOnAppend: isLive && wasLive.current,
    scrollEndThreshold: END,
  });
  useLayoutEffect(() => steady(virtualizer));
  useEffect(() => {
    const isNearStart = (virtualizer.range?.startIndex ?? 0) < OLDER_AHEAD;
    if (isNearStart && messages.older.peek() === 'more') void messages.loadOlder();
    const isNearEnd = (virtualizer.range?.endIndex ?? 0) >= rows.length - NEWER_AHEAD;
    if (isNearEnd && !messages.isLive) void place.loadNewer();
    wasLive.current = isLive;
  });
  return { rows, virtualizer };
}

/** A row stays drawn while it has the focus, even if it is scrolled out of view. */
function withFocused(
  range: Range,
  scroller: HTMLElement | null,
  rows: readonly TimelineRow[],
): number[] {
  const indexes = defaultRangeExtractor(range);
  const focused = scroller?.querySelector<HTMLElement>(':scope .row:focus-within');
  const key = focused?.dataset['key'];
  if (key === undefined) return indexes;
  const index = rows.findIndex((row) => row.key === key);
  if (index < 0 || indexes.includes(index)) return indexes;
  return [...indexes, index].toSorted((one, other) => one - other);
}
