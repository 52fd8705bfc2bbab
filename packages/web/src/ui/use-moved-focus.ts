import { useCallback, useRef } from 'preact/hooks';

/** Moves the focus from an element that disappears to the one that takes its place. */
export interface MovedFocus {
  /** To be called while the first element is still there; it moves the focus only if that element has it. */
  readonly leave: (element: HTMLElement) => void;
  /** For the `ref` of the element that takes its place. */
  readonly arrive: (element: HTMLElement | null) => void;
}

/** For elements that replace each other, such as a button that reveals something. */
export function useMovedFocus(): MovedFocus {
  const isMoving = useRef(false);
  const leave = useCallback((element: HTMLElement) => {
    isMoving.current = element === document.activeElement;
  }, []);
  const arrive = useCallback((element: HTMLElement | null) => {
    if (element === null || !isMoving.current) return;
    isMoving.current = false;
    element.focus({ preventScroll: true });
  }, []);
  return { leave, arrive };
}
