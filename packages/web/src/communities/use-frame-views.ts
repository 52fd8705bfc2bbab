import { useEffect, useState } from 'preact/hooks';
import { loadPart } from '../lib/load-part.ts';

type Views = typeof import('./frame-views.ts');

/** The columns around what is shown, once they are loaded. */
export function useFrameViews(): Views | undefined {
  const [views, setViews] = useState<Views | undefined>(undefined);
  useEffect(() => {
    void loadPart('communities/frame-views.ts', () => import('./frame-views.ts')).then(setViews);
  }, []);
  return views;
}
