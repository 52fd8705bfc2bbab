import { useLayoutEffect, useRef } from 'preact/hooks';
import type { RowList } from './use-row-list.ts';
import { bringIntoView } from '../../lib/bring-into-view.ts';

/** Moves the focus from message to message; returns a function that does so for a key, and returns whether it did. */
export function useMessageFocus({ rows, virtualizer }: RowList): (event: KeyboardEvent) => boolean {
  const wanted = useRef<string | undefined>(undefined);
  const focusWanted = () => {
    const key = wanted.current;
    const scroller = virtualizer.scrollElement;
    if (key === undefined || scroller === null) return;
    const selector = `:scope .row[data-key="${CSS.escape(key)}"] > .message`;
    const message = scroller.querySelector<HTMLElement>(selector);
    if (message === null) return;
    wanted.current = undefined;
    message.focus({ preventScroll: true });
    bringIntoView(message);
  };
  // A row that was far away is drawn after the list has scrolled to it.
  useLayoutEffect(focusWanted);
  return (event) => {
    const { key, target } = event;
    const hasModifier = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
    const step = STEPS[key];
    if (step === undefined || hasModifier || !(target instanceof Element)) return false;
    if (!target.matches('.message, .message-scroller')) return false;
    const current = rows.findIndex((row) => row.key === keyOf(target));
    const start = current === -1 ? edgeOf({ rows, virtualizer }, step) : current + step;
    const next = messageFrom(rows, start, step);
    // The newest message is followed by the box; before the oldest, there is nothing.
    if (next === undefined) return current !== -1;
    const row = rows[next];
    wanted.current = row?.key;
    focusWanted();
    if (wanted.current !== undefined) virtualizer.scrollToIndex(next, { align: 'auto' });
    return true;
  };
}

const STEPS: Readonly<Record<string, 1 | -1>> = { ArrowUp: -1, ArrowDown: 1 };

function keyOf(target: Element): string | undefined {
  return target.closest<HTMLElement>('.row')?.dataset['key'];
}

/** The last visible row going up, the first visible one going down. */
function edgeOf({ virtualizer }: RowList, step: 1 | -1): number {
  const { scrollElement, scrollOffset, range } = virtualizer;
  const offset = (scrollOffset ?? 0) + (step === -1 ? (scrollElement?.clientHeight ?? 0) - 1 : 0);
  const item = virtualizer.getVirtualItemForOffset(offset);
  return item?.index ?? (step === -1 ? range?.endIndex : range?.startIndex) ?? 0;
}

function messageFrom(rows: RowList['rows'], start: number, step: 1 | -1): number | undefined {
  for (let index = start; index >= 0 && index < rows.length; index += step) {
    if (rows[index]?.kind === 'message') return index;
  }
  return undefined;
}
