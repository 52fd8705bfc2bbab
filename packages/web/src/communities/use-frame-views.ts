import { useEffect, useState } from 'preact/hooks';
import { reloadIfServed } from '../lib/load-part.ts';
import { useConnection } from '../connection/use-connection.ts';

type Views = typeof import('./frame-views.ts');

/** The columns around what is shown, as far as they are loaded. */
export interface FrameViews {
  /** Undefined until they are. */
  readonly views: Views | undefined;
  /** Whether they could not be loaded. They are loaded again when the connection is back. */
  readonly hasFailed: boolean;
  readonly retry: () => void;
}

/** Loads the columns around what is shown. */
export function useFrameViews(): FrameViews {
  const isOpen = useConnection().state.value.state === 'open';
  const [views, setViews] = useState<Views | undefined>(undefined);
  const [attempt, setAttempt] = useState(0);
  const [failed, setFailed] = useState(-1);
  useEffect(() => {
    void import('./frame-views.ts').then(setViews, () => {
      setFailed(attempt);
      if (attempt > 0) void reloadIfServed();
    });
  }, [attempt, isOpen]);
  return { views, hasFailed: failed === attempt, retry: () => setAttempt(attempt + 1) };
}
