import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Access } from './access.ts';
import { loadPart } from '../lib/load-part.ts';

interface AccessCodeProps {
  readonly access: Access;
}

/** Asks for the access code. Few instances need one, so the view is loaded on use. */
export function AccessCodeOnDemand({ access }: AccessCodeProps) {
  const [View, setView] = useState<ComponentType<AccessCodeProps> | undefined>(undefined);
  useEffect(() => {
    void loadPart('later.ts', () => import('../later.ts')).then(({ AccessCodeView }) =>
      setView(() => AccessCodeView),
    );
  }, []);
  return View === undefined ? null : <View access={access} />;
}
