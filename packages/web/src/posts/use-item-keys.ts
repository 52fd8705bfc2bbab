import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { firstInView } from './first-in-view.ts';
import { bringIntoView } from '../lib/bring-into-view.ts';
import { listenToKeys } from '../ui/own-keys.ts';

/** The effect of keys on the item that has the focus. */
export type ItemKeys = Readonly<Record<string, (item: HTMLElement) => void>>;

const TYPING = 'input, textarea, select, [contenteditable=true], video, audio';

/**
 * Lets `j` and `k` move between items, from the first one in view if none has the focus, and other keys act on the one that has
 * it. Not while something is typed.
 */
export function useItemKeys(
  list: RefObject<HTMLElement | null>,
  selector: string,
  keys: ItemKeys,
): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, target } = event;
      const hasModifier = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey;
      if (event.defaultPrevented || hasModifier) return;
      if (target instanceof Element && target.matches(TYPING)) return;
      if (document.querySelector('dialog[open], [role=menu]') !== null) return;
      const items = Array.from(list.current?.querySelectorAll<HTMLElement>(selector) ?? []);
      const focused = document.activeElement?.closest<HTMLElement>(selector) ?? undefined;
      if (key === 'j' || key === 'k') {
        event.preventDefault();
        const at = focused === undefined ? -1 : items.indexOf(focused);
        const next = at === -1 ? inView(items) : items[at + (key === 'j' ? 1 : -1)];
        if (next === undefined) return;
        next.focus({ preventScroll: true });
        bringIntoView(next);
        return;
      }
      // A link or button does what it says.
      if (key === 'Enter' && document.activeElement !== focused) return;
      const act = latest.current[key];
      if (act === undefined || focused === undefined) return;
      event.preventDefault();
      act(focused);
    };
    return listenToKeys(onKeyDown);
  }, [list, selector]);
}

/** The item that the reader looks at first; the header does not scroll. */
function inView(items: readonly HTMLElement[]): HTMLElement | undefined {
  const view = items[0]?.closest('.page')?.getBoundingClientRect();
  if (view === undefined) return items[0];
  return items[
    firstInView(
      items.map((item) => item.getBoundingClientRect()),
      view,
    )
  ];
}
