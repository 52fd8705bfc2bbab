import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import type { PlacedList } from './placed-list.ts';

/** Brings the reader back to where they were in a list, and remembers it when they leave. */
export function useListPlace(
  page: RefObject<HTMLElement | null>,
  list: PlacedList,
  isThere: boolean,
): void {
  useLayoutEffect(() => {
    const content = page.current;
    const scroller = content?.closest<HTMLElement>('.page') ?? undefined;
    if (content === null || scroller === undefined || !isThere) return undefined;
    const { item: kind } = list;
    restore(scroller, list);
    // Posts above have their real heights only when they have been drawn.
    const frame = requestAnimationFrame(() => restore(scroller, list));
    const note = () => {
      const top = scroller.getBoundingClientRect().top;
      const items = Array.from(content.querySelectorAll<HTMLElement>(`[data-${kind}]`));
      const first = items.find((item) => item.getBoundingClientRect().bottom > top);
      const id = first?.dataset[kind];
      const offset = (first?.getBoundingClientRect().top ?? 0) - top;
      list.anchor = id === undefined || scroller.scrollTop === 0 ? undefined : { id, offset };
    };
    scroller.addEventListener('scroll', note, { passive: true });
    const onFocus = ({ target }: FocusEvent) => {
      const item = target instanceof Element ? target.closest<HTMLElement>(`[data-${kind}]`) : null;
      list.focused = item?.dataset[kind];
    };
    content.addEventListener('focusin', onFocus);
    const focused = list.focused;
    if (focused !== undefined && document.activeElement === document.body) {
      itemOf(content, [kind, focused])?.focus({ preventScroll: true });
    }
    return () => {
      cancelAnimationFrame(frame);
      scroller.removeEventListener('scroll', note);
      content.removeEventListener('focusin', onFocus);
    };
  }, [page, list, isThere]);
}

function restore(scroller: HTMLElement, { anchor, item: kind }: PlacedList): void {
  if (anchor === undefined) {
    scroller.scrollTop = 0;
    return;
  }
  const item = itemOf(scroller, [kind, anchor.id]);
  if (item === undefined) return;
  const offset = item.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
  scroller.scrollTop += offset - anchor.offset;
}

function itemOf(
  within: HTMLElement,
  [kind, id]: readonly [PlacedList['item'], string],
): HTMLElement | undefined {
  return within.querySelector<HTMLElement>(`[data-${kind}="${CSS.escape(id)}"]`) ?? undefined;
}
