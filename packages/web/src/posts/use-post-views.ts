import { useEffect, useState } from 'preact/hooks';
import { loadPart } from '../lib/load-part.ts';

type Views = typeof import('./views.ts');

/** The views of posts once they are loaded, which begins when they are needed; undefined if they cannot be loaded. */
export function usePostViews(isNeeded: boolean): Views | undefined {
  const [views, setViews] = useState<Views | undefined>(undefined);
  useEffect(() => {
    if (!isNeeded) return;
    void loadPart('posts/views.ts', () => import('./views.ts')).then(setViews);
  }, [isNeeded]);
  return views;
}
