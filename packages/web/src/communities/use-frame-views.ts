import { useEffect, useState } from 'preact/hooks';

type Views = typeof import('./frame-views.ts');

/** The columns around what is shown, once they are loaded; undefined if they cannot be loaded. */
export function useFrameViews(isNeeded: boolean): Views | undefined {
  const [views, setViews] = useState<Views | undefined>(undefined);
  useEffect(() => {
    if (!isNeeded) return;
    void import('./frame-views.ts').then(setViews, () => {});
  }, [isNeeded]);
  return views;
}
