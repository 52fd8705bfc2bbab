import { useState } from 'preact/hooks';
import type { MyChannel, MyCommunity } from '@hearth/sdk';
import type { MenuPoint } from '../../ui/menu.tsx';
import { whenPressed } from '../../ui/when-pressed.ts';

/** The subject of a menu: a community, or one of its channels. */
export interface MenuSubject {
  readonly community: MyCommunity;
  readonly channel?: MyChannel | undefined;
}

/** An open menu. */
export interface OpenPlaceMenu extends MenuSubject {
  readonly at: MenuPoint;
  /** Gets the focus back. */
  readonly opener: HTMLElement;
}

/** The menu of a place, and the events of links that open it. */
export interface PlaceMenuState {
  readonly open: OpenPlaceMenu | undefined;
  readonly close: (isFocusReturned: boolean) => void;
  readonly openBelow: (opener: HTMLElement, subject: MenuSubject) => void;
  readonly events: (subject: MenuSubject) => {
    readonly onContextMenu: (event: MouseEvent) => void;
    readonly onPointerDown: (event: PointerEvent) => void;
  };
}

/** Opens the menu of a place: by a right click, a long press, Shift+F10 or the menu key. */
export function usePlaceMenu(): PlaceMenuState {
  const [open, setOpen] = useState<OpenPlaceMenu | undefined>(undefined);
  const openAt = (target: EventTarget | null, subject: MenuSubject, at?: MenuPoint) => {
    if (target instanceof HTMLElement) {
      setOpen({ ...subject, at: at ?? below(target), opener: target });
    }
  };
  return {
    open,
    close: (isFocusReturned) => {
      if (isFocusReturned) open?.opener.focus({ preventScroll: true });
      setOpen(undefined);
    },
    openBelow: (opener, subject) => openAt(opener, subject),
    events: (subject) => ({
      onContextMenu: (event) => {
        if (event.shiftKey && event.button === 2) return;
        event.preventDefault();
        // A key opens it too, which has no place.
        const isByFinger = event instanceof PointerEvent && event.pointerType === 'touch';
        const hasPlace = event.button === 2 || isByFinger;
        const at = hasPlace ? { x: event.clientX, y: event.clientY } : undefined;
        openAt(event.currentTarget, subject, at);
      },
      onPointerDown: (event) => {
        const { currentTarget, clientX: x, clientY: y } = event;
        if (event.pointerType !== 'touch') return;
        whenPressed(event, () => openAt(currentTarget, subject, { x, y }));
      },
    }),
  };
}

function below(opener: HTMLElement): MenuPoint {
  const { left, bottom } = opener.getBoundingClientRect();
  return { x: left, y: bottom + 4 };
}
