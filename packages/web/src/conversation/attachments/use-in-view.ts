import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** How close to the visible area, so that a picture has often loaded when its row appears. */
const NEAR = '200px 0px';

/** Whether an element is, or has been, close to the visible area. */
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
      { rootMargin: NEAR },
    );
    observer.observe(current);
    return () => observer.disconnect();
  }, [isInView]);
  return [target, isInView];
}
