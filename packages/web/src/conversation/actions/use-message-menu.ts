import { useRef, useState } from 'preact/hooks';
import type { MenuPoint } from '../../ui/menu.tsx';
import { whenPressed } from '../../ui/when-pressed.ts';
import type { MessageRow, TimelineRow } from '../list/timeline.ts';

/** Elements for which the browser has a menu of its own. */
const OWN_MENU = 'a, img, video, audio, input, textarea, pre';

/** An open menu. */
export interface OpenMenu {
  readonly row: MessageRow;
  readonly at: MenuPoint;
  /** Gets the focus back. */
  readonly opener: HTMLElement;
}

/** The menu of the messages, and the events of the list that open it. */
export interface MessageMenu {
  readonly open: OpenMenu | undefined;
  readonly close: (isFocusReturned: boolean) => void;
  readonly onClick: (event: MouseEvent) => void;
  readonly onContextMenu: (event: MouseEvent) => void;
  readonly onPointerDown: (event: PointerEvent) => void;
  /** Returns whether the key opened the menu. */
  readonly onKey: (event: KeyboardEvent) => boolean;
}

/** Opens the menu of a message: by its button, a right click, a long press or a key. */
export function useMessageMenu(rows: readonly TimelineRow[]): MessageMenu {
  const [open, setOpen] = useState<OpenMenu | undefined>(undefined);
  const known = useRef(rows);
  known.current = rows;
  const openAt = (target: EventTarget | null, at?: MenuPoint): boolean => {
    const opener = openerOf(target);
    const key = opener?.closest<HTMLElement>('.row')?.dataset['key'];
    const row = known.current.find((each) => each.key === key);
    if (opener === undefined || row?.kind !== 'message') return false;
    setOpen({ row, at: at ?? below(opener), opener });
    return true;
  };
  const close = (isFocusReturned: boolean) => {
    if (isFocusReturned) open?.opener.focus({ preventScroll: true });
    setOpen(undefined);
  };
  return {
    open,
    close,
    onClick: ({ target }) => {
      if (target instanceof Element && target.closest('[data-opens-menu]')) openAt(target);
    },
    onContextMenu: (event) => {
      if (event.shiftKey || hasOwnMenu(event.target)) return;
      if (openAt(event.target, pointOf(event))) event.preventDefault();
    },
    onPointerDown: (event) => {
      if (event.pointerType === 'touch' && !hasOwnMenu(event.target)) {
        whenPressed(event, () => openAt(event.target, pointOf(event)));
      }
    },
    onKey: ({ key, shiftKey, target }) => {
      const isMenuKey = key === 'ContextMenu' || (key === 'F10' && shiftKey);
      const isOnMessage = target instanceof Element && target.matches('.message');
      return (isMenuKey || (key === 'Enter' && isOnMessage)) && openAt(target);
    },
  };
}

function openerOf(target: EventTarget | null): HTMLElement | undefined {
  if (!(target instanceof Element)) return undefined;
  return target.closest<HTMLElement>('[data-opens-menu], .message') ?? undefined;
}

function pointOf({ clientX, clientY }: MouseEvent): MenuPoint {
  return { x: clientX, y: clientY };
}

/** Below a button, or in a message. */
function below(opener: HTMLElement): MenuPoint {
  const { left, top, bottom } = opener.getBoundingClientRect();
  const isButton = opener.matches('button');
  return { x: isButton ? left : left + 56, y: isButton ? bottom : Math.max(top, 0) + 24 };
}

function hasOwnMenu(target: EventTarget | null): boolean {
  const isSelected = !(document.getSelection()?.isCollapsed ?? true);
  return isSelected || (target instanceof Element && target.closest(OWN_MENU) !== null);
}
