import { useEffect, useState } from 'preact/hooks';

/** From this width on, several columns stand beside each other; as in the styles. */
const WIDE = '(min-width: 48.001rem)';

/** Returns whether the page has room for several columns. */
export function useIsWide(): boolean {
  const [isWide, setIsWide] = useState(() => matchMedia(WIDE).matches);
  useEffect(() => {
    const query = matchMedia(WIDE);
    const onChange = () => setIsWide(query.matches);
    query.addEventListener('change', onChange);
    return () => query.removeEventListener('change', onChange);
  }, []);
  return isWide;
}
