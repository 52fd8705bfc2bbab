import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { GripIcon } from './place-icons.tsx';

/** A line of a list that can be ordered. */
export interface SortableItem {
  readonly key: string;
  readonly name: string;
  /** Whether it stays where it is. */
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
  /** Where a line would be after it moves; the same items if it cannot. */
  readonly move: (items: readonly Item[], from: number, to: number) => readonly Item[];
  /** Called when a line has been put down. */
  readonly onOrder: (items: readonly Item[]) => void;
}

/** A list whose lines are ordered by dragging their handles, or with the arrow keys on them. */
export function SortableList<Item extends SortableItem>(props: ListProps<Item>) {
  const { label, words, children } = props;
  const { list, shown, dragged, news, step, take, onMove, onEnd } = useSorting(props);
  return (
    <>
      <ul ref={list} class="sortable" aria-label={label}>
        {shown.map((item) => (
          <li key={item.key} data-is-dragged={item.key === dragged?.key || undefined}>
            {item.isFixed === true ? (
              <span class="sortable-gap" />
            ) : (
              <button
                type="button"
                class="icon-button sortable-handle"
                aria-label={words.handle(item.name)}
                onKeyDown={(event) => {
                  const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
                  if (by === 0) return;
                  event.preventDefault();
                  step(item, by);
                }}
                onPointerDown={(event) => {
                  if (event.button !== 0) return;
                  event.currentTarget.setPointerCapture(event.pointerId);
                  take(item.key);
                }}
                onPointerMove={onMove}
                onPointerUp={() => onEnd(true)}
                onPointerCancel={() => onEnd(false)}
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

function useSorting<Item extends SortableItem>(props: ListProps<Item>) {
  const { items, words, move, onOrder } = props;
  const list = useRef<HTMLUListElement>(null);
  const [dragged, setDragged] = useState<Drag<Item> | undefined>(undefined);
  const [news, setNews] = useState('');
  const shown = dragged?.items ?? items;
  const step = (item: Item, by: number) => {
    const from = items.findIndex(({ key }) => key === item.key);
    const next = move(items, from, from + by);
    const at = next.findIndex(({ key }) => key === item.key);
    if (next === items || from === -1) return;
    onOrder(next);
    setNews(words.moved(item.name, at + 1, next.length));
  };
  const onMove = (event: PointerEvent) => {
    if (dragged === undefined) return;
    const to = indexAt(list.current, event.clientY);
    const from = dragged.items.findIndex(({ key }) => key === dragged.key);
    if (to !== from) setDragged({ ...dragged, items: move(dragged.items, from, to) });
  };
  const onEnd = (isKept: boolean) => {
    if (dragged === undefined) return;
    setDragged(undefined);
    if (isKept && dragged.items !== items) onOrder(dragged.items);
  };
  const take = (key: string) => setDragged({ key, items });
  return { list, shown, dragged, news, step, take, onMove, onEnd };
}

interface Drag<Item> {
  readonly key: string;
  /** The order as it would be now. */
  readonly items: readonly Item[];
}

/** The line at that height; the nearest one outside of the list. */
function indexAt(list: HTMLElement | null, y: number): number {
  const lines = Array.from(list?.children ?? []);
  const at = lines.findIndex((line) => y < line.getBoundingClientRect().bottom);
  return at === -1 ? lines.length - 1 : at;
}
