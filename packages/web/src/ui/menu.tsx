import type { ComponentChildren, RefObject, TargetedKeyboardEvent } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

/** A point in the window, in CSS pixels. */
export interface MenuPoint {
  readonly x: number;
  readonly y: number;
}

/** One line of a menu. */
export interface MenuItem {
  readonly key: string;
  readonly label: string;
  readonly icon: ComponentChildren;
}

interface MenuProps<Item extends MenuItem> {
  readonly label: string;
  readonly items: readonly Item[];
  /** Its upper corner, if there is room. */
  readonly at: MenuPoint;
  readonly onChoose: (item: Item) => void;
  /** Called if nothing was chosen; `isByKey` if the focus should return to where it was. */
  readonly onClose: (isByKey: boolean) => void;
}

/** Least distance to the edges of the window. */
const MARGIN = 8;

/** A menu over the page while it is drawn. */
export function Menu<Item extends MenuItem>({
  label,
  items,
  at,
  onChoose,
  onClose,
}: MenuProps<Item>) {
  const menu = useRef<HTMLDivElement>(null);
  usePlace(menu, at);
  useClosing(menu, () => onClose(false));
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLElement>) => {
    event.stopPropagation();
    if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault();
      onClose(true);
      return;
    }
    const buttons = Array.from(event.currentTarget.querySelectorAll('button'));
    const current = buttons.findIndex((button) => button === document.activeElement);
    const next = nextIndex(event.key, current, buttons.length);
    if (next === undefined) return;
    event.preventDefault();
    buttons[next]?.focus();
  };
  return (
    <div
      ref={menu}
      class="menu"
      // It is opened by presses that have not ended: the browser would close it at once.
      popover="manual"
      role="menu"
      aria-label={label}
      onKeyDown={onKeyDown}
      onContextMenu={(event) => event.preventDefault()}
    >
      {items.map((item) => (
        <button
          key={item.key}
          type="button"
          class="menu-item"
          role="menuitem"
          tabIndex={-1}
          onClick={() => onChoose(item)}
        >
          {item.icon}
          <span>{item.label}</span>
        </button>
      ))}
    </div>
  );
}

/** Shows the menu within the window, and focuses its first line. */
function usePlace(menu: RefObject<HTMLElement | null>, at: MenuPoint): void {
  useLayoutEffect(() => {
    const element = menu.current;
    if (element === null) return;
    element.showPopover();
    const { width, height } = element.getBoundingClientRect();
    const left = Math.min(at.x, document.documentElement.clientWidth - width - MARGIN);
    const top = Math.min(at.y, document.documentElement.clientHeight - height - MARGIN);
    element.style.left = `${Math.max(MARGIN, left)}px`;
    element.style.top = `${Math.max(MARGIN, top)}px`;
    element.querySelector('button')?.focus({ preventScroll: true });
  }, [menu, at]);
}

function nextIndex(key: string, current: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return (current + 1) % count;
    case 'ArrowUp':
      return (current + count - 1) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}

/** Closes the menu if the reader presses elsewhere, or if what it belongs to moves away. */
function useClosing(menu: RefObject<HTMLElement | null>, close: () => void): void {
  const latest = useRef(close);
  latest.current = close;
  useEffect(() => {
    const isInside = ({ target }: Event) =>
      target instanceof Node && menu.current?.contains(target);
    const onOutside = (event: Event) => {
      if (isInside(event) !== true) latest.current();
    };
    const onMove = () => latest.current();
    const ending = new AbortController();
    const { signal } = ending;
    document.addEventListener('pointerdown', onOutside, { capture: true, signal });
    document.addEventListener('wheel', onOutside, { capture: true, passive: true, signal });
    window.addEventListener('resize', onMove, { signal });
    window.addEventListener('blur', onMove, { signal });
    window.addEventListener('popstate', onMove, { signal });
    return () => ending.abort();
  }, [menu]);
}
