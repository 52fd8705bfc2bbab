import { useEffect, useState } from 'preact/hooks';
import { loadPart } from '../lib/load-part.ts';

type Views = typeof import('./views.ts');

/** A view about accounts once it is loaded, which begins when it is needed; undefined if it cannot be loaded. */
export function useAccountView<Name extends keyof Views>(
  name: Name,
  isNeeded: boolean,
): Views[Name] | undefined {
  const [views, setViews] = useState<Views | undefined>(undefined);
  useEffect(() => {
    if (!isNeeded) return;
    void loadPart('account/views.ts', () => import('./views.ts')).then((loaded) =>
      setViews(loaded),
    );
  }, [isNeeded]);
  return views?.[name];
}
