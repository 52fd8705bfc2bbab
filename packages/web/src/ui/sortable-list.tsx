import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { GripIcon } from './place-icons.tsx';
import { stepped, type Move } from './stepped.ts';
import { bringIntoView } from '../lib/bring-into-view.ts';
import { ownKeys } from './own-keys.ts';

/** A line of a list that can be ordered. */
export interface SortableItem {
  readonly key: string;
  readonly name: string;
  /** True if it stays where it is. */
  readonly isFixed?: boolean | undefined;
}

interface ListProps<Item extends SortableItem> {
  readonly label: string;
  readonly items: readonly Item[];
  readonly words: {
    readonly handle: (name: string) => string;
    readonly moved: (name: string, place: number, count: number) => string;
  };
  readonly children: (item: Item) => ComponentChildren;
  readonly move: Move<Item>;
  /** Called when a line has been put down. */
  readonly onOrder: (items: readonly Item[]) => void;
}

/** A list whose lines are ordered by dragging their handles, or with the arrow keys on them. */
export function SortableList<Item extends SortableItem>(props: ListProps<Item>) {
  const { label, words, children } = props;
  const { list, shown, dragged, news, step, take } = useSorting(props);
  return (
    <>
      <ul ref={list} class="sortable" aria-label={label}>
        {shown.map((item) => (
          <li
            key={item.key}
            data-key={item.key}
            data-is-dragged={item.key === dragged || undefined}
          >
            {item.isFixed === true ? (
              <span class="sortable-gap" />
            ) : (
              <button
                type="button"
                class="icon-button sortable-handle"
                aria-label={words.handle(item.name)}
                onKeyDown={ownKeys((event) => {
                  const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
                  if (by === 0 || event.altKey || event.ctrlKey || event.metaKey) return;
                  event.preventDefault();
                  step(item, by);
                })}
                onPointerDown={(event) => {
                  if (event.button === 0) take(item.key, event);
                }}
              >
                <GripIcon />
              </button>
            )}
            {children(item)}
          </li>
        ))}
      </ul>
      <p class="visually-hidden" role="status">
        {news}
      </p>
    </>
  );
}

interface Drag<Item> {
  readonly key: string;
  /** The order as it would be now. */
  readonly items: readonly Item[];
}

function useSorting<Item extends SortableItem>({ items, words, move, onOrder }: ListProps<Item>) {
  const list = useRef<HTMLUListElement>(null);
  const [drag, setDrag] = useState<Drag<Item> | undefined>(undefined);
  const [news, setNews] = useState('');
  const latest = useRef({ drag, items, move, onOrder });
  latest.current = { drag, items, move, onOrder };
  const keepFocus = useKeptFocus(list);
  const step = (item: Item, by: -1 | 1) => {
    const from = items.findIndex(({ key }) => key === item.key);
    const next = stepped(items, { from, by, move });
    if (next === items) return;
    keepFocus(item.key);
    onOrder(next);
    const at = next.findIndex(({ key }) => key === item.key);
    setNews(words.moved(item.name, at + 1, next.length));
  };
  const dragTo = (y: number) => {
    const { drag: now, move: moveBy } = latest.current;
    if (now === undefined) return;
    const to = indexAt(list.current, y);
    const from = now.items.findIndex(({ key }) => key === now.key);
    const next = moveBy(now.items, from, to);
    const shown = list.current?.children[to];
    if (shown !== undefined) bringIntoView(shown);
    if (next !== now.items) setDrag({ ...now, items: next });
  };
  const drop = (isKept: boolean) => {
    const { drag: now, items: before, onOrder: order } = latest.current;
    setDrag(undefined);
    if (isKept && now !== undefined && now.items !== before) order(now.items);
  };
  const follow = usePointer(dragTo, drop);
  const take = (key: string, { pointerId }: PointerEvent) => {
    setDrag({ key, items });
    follow(pointerId);
  };
  return { list, shown: drag?.items ?? items, dragged: drag?.key, news, step, take };
}

/**
 * Follows a pointer until it is lifted, anywhere in the document: lines change their places in the page, and what has caught a
 * pointer loses it then.
 */
function usePointer(onMove: (y: number) => void, onEnd: (isKept: boolean) => void) {
  const latest = useRef({ onMove, onEnd });
  latest.current = { onMove, onEnd };
  const ending = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => ending.current?.abort(), []);
  return (pointerId: number) => {
    ending.current?.abort();
    const controller = new AbortController();
    const { signal } = controller;
    ending.current = controller;
    const on = (name: 'pointermove' | 'pointerup' | 'pointercancel') =>
      document.addEventListener(
        name,
        (event) => {
          if (event.pointerId !== pointerId) return;
          if (name === 'pointermove') return latest.current.onMove(event.clientY);
          controller.abort();
          latest.current.onEnd(name === 'pointerup');
        },
        { signal },
      );
    on('pointermove');
    on('pointerup');
    on('pointercancel');
  };
}

/** Gives the handle of a line the focus again after the line has got another place in the page. */
function useKeptFocus(list: { readonly current: HTMLUListElement | null }) {
  const key = useRef<string | undefined>(undefined);
  useLayoutEffect(() => {
    if (key.current === undefined) return;
    const line = list.current?.querySelector(`[data-key="${key.current}"]`);
    line?.querySelector<HTMLElement>('.sortable-handle')?.focus();
    if (line instanceof Element) bringIntoView(line);
    key.current = undefined;
  });
  return (moved: string) => {
    key.current = moved;
  };
}

/** The line at that height; the nearest one outside of the list. */
function indexAt(list: HTMLElement | null, y: number): number {
  const lines = Array.from(list?.children ?? []);
  const at = lines.findIndex((line) => y < line.getBoundingClientRect().bottom);
  return at === -1 ? lines.length - 1 : at;
}
