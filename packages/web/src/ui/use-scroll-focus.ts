import { useCallback, useRef } from 'preact/hooks';

/** For the `ref` of an element that scrolls: makes it focusable by keyboard while it has something to scroll. */
export function useScrollFocus(): (element: HTMLElement | null) => void {
  const observer = useRef<ResizeObserver>(undefined);
  return useCallback((element: HTMLElement | null) => {
    observer.current?.disconnect();
    if (element === null) return;
    observer.current = new ResizeObserver(() => {
      const isWider = element.scrollWidth > element.clientWidth + 1;
      if (isWider || element.scrollHeight > element.clientHeight + 1) element.tabIndex = 0;
      else element.removeAttribute('tabindex');
    });
    observer.current.observe(element);
  }, []);
}
