import type { ComponentChildren, RefObject, TargetedKeyboardEvent } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { ignoreClick } from './when-pressed.ts';
import { ownKeys } from './own-keys.ts';

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
  /** The address to which it leads, if it is a link. */
  readonly href?: string | undefined;
  /** True if it destroys something. */
  readonly isDanger?: boolean | undefined;
  /** True if a line separates it from what is above it. */
  readonly isAfterLine?: boolean | undefined;
}

interface MenuProps<Item extends MenuItem> {
  readonly label: string;
  /** The content above the items. */
  readonly head?: ComponentChildren;
  readonly items: readonly Item[];
  /** Its upper corner, if there is room. */
  readonly at: MenuPoint;
  /** The button that closes it too when it is pressed again. */
  readonly opener?: RefObject<HTMLElement | null> | undefined;
  readonly onChoose: (item: Item) => void;
  /** Called if nothing was chosen; `isByKey` if the focus should return to where it was. */
  readonly onClose: (isByKey: boolean) => void;
}

const LINE = '[role=menuitem]';

/** Least distance to the edges of the window. */
const MARGIN = 8;

/** A menu over the page while it is drawn. */
export function Menu<Item extends MenuItem>(props: MenuProps<Item>) {
  const { label, head, items, at, opener, onChoose, onClose } = props;
  const menu = useRef<HTMLDivElement>(null);
  usePlace(menu, at, items.length);
  useClosing([menu, opener], () => onClose(false));
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLElement>) => {
    event.stopPropagation();
    if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault();
      onClose(true);
      return;
    }
    const lines = Array.from(event.currentTarget.querySelectorAll<HTMLElement>(LINE));
    const current = lines.findIndex((line) => line === document.activeElement);
    const next = nextIndex(event.key, current, lines.length);
    if (next === undefined) return;
    event.preventDefault();
    lines[next]?.focus();
  };
  return (
    <div
      ref={menu}
      class="menu"
      // It is opened by presses that have not ended: the browser would close it at once.
      popover="manual"
      role="menu"
      aria-label={label}
      onKeyDown={ownKeys(onKeyDown)}
      onContextMenu={(event) => event.preventDefault()}
    >
      {head}
      {items.map((item) => (
        <MenuLine key={item.key} item={item} onChoose={() => onChoose(item)} />
      ))}
    </div>
  );
}

interface LineProps {
  readonly item: MenuItem;
  readonly onChoose: () => void;
}

function MenuLine({ item, onChoose }: LineProps) {
  const { label, icon, href, isDanger = false, isAfterLine = false } = item;
  const content = (
    <>
      {icon}
      <span>{label}</span>
    </>
  );
  const line = {
    class: 'menu-item',
    role: 'menuitem',
    tabIndex: -1,
    'data-look': isDanger ? 'danger' : undefined,
    onClick: onChoose,
  } as const;
  return (
    <>
      {isAfterLine && <hr class="menu-line" />}
      {href === undefined ? (
        <button type="button" {...line}>
          {content}
        </button>
      ) : (
        <a href={href} {...line}>
          {content}
        </a>
      )}
    </>
  );
}

/** Shows the menu within the window, and focuses its first line. */
function usePlace(menu: RefObject<HTMLElement | null>, at: MenuPoint, lines: number): void {
  useLayoutEffect(() => {
    const element = menu.current;
    if (element === null) return;
    if (!element.matches(':popover-open')) element.showPopover();
    const { width, height } = element.getBoundingClientRect();
    const left = Math.min(at.x, document.documentElement.clientWidth - width - MARGIN);
    const top = Math.min(at.y, document.documentElement.clientHeight - height - MARGIN);
    element.style.left = `${Math.max(MARGIN, left)}px`;
    element.style.top = `${Math.max(MARGIN, top)}px`;
    if (element.contains(document.activeElement)) return;
    element.querySelector<HTMLElement>(LINE)?.focus({ preventScroll: true });
  }, [menu, at, lines]);
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
function useClosing(
  inside: readonly (RefObject<HTMLElement | null> | undefined)[],
  close: () => void,
): void {
  const latest = useRef({ inside, close });
  latest.current = { inside, close };
  useEffect(() => {
    const isInside = ({ target }: Event) =>
      target instanceof Node &&
      latest.current.inside.some((element) => element?.current?.contains(target));
    const onOutside = (event: Event) => {
      if (isInside(event)) return;
      if (event instanceof PointerEvent && event.pointerType === 'touch') ignoreClick();
      latest.current.close();
    };
    const onMove = () => latest.current.close();
    const ending = new AbortController();
    const { signal } = ending;
    document.addEventListener('pointerdown', onOutside, { capture: true, signal });
    document.addEventListener('wheel', onOutside, { capture: true, passive: true, signal });
    window.addEventListener('resize', onMove, { signal });
    window.addEventListener('blur', onMove, { signal });
    window.addEventListener('popstate', onMove, { signal });
    return () => ending.abort();
  }, []);
}
