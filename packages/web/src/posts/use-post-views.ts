import { useEffect, useState } from 'preact/hooks';

type Views = typeof import('./views.ts');

/** The views of posts once they are loaded, which begins when they are needed; undefined if they cannot be loaded. */
export function usePostViews(isNeeded: boolean): Views | undefined {
  const [views, setViews] = useState<Views | undefined>(undefined);
  useEffect(() => {
    if (!isNeeded) return;
    void import('./views.ts').then(setViews, () => {});
  }, [isNeeded]);
  return views;
}
