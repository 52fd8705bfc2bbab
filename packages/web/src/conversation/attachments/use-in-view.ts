import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** The distance from the visible area, so that a picture has often loaded when its row appears. */
const NEAR = '300px 0px';

/** The list, which scrolls by itself. */
const SCROLLER = '[role=log]';

/** Returns whether an element is, or has been, close to the visible area. */
export function useInView<Target extends Element>(): [RefObject<Target | null>, boolean] {
  const target = useRef<Target>(null);
  const [isInView, setIsInView] = useState(false);
  useEffect(() => {
    const { current } = target;
    if (current === null || isInView) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setIsInView(true);
      },
      // A margin around the window would not reach beyond the edges of the list.
      { root: current.closest(SCROLLER), rootMargin: NEAR },
    );
    observer.observe(current);
    return () => observer.disconnect();
  }, [isInView]);
  return [target, isInView];
}
