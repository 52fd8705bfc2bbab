import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useAttachments } from './use-attachments.ts';
import { loadPart } from '../../lib/load-part.ts';

/** The large picture, if one is open. Its view is loaded with the first one. */
export function LightboxOnDemand() {
  const attachments = useAttachments();
  const [View, setView] = useState<ComponentType | undefined>(undefined);
  const isOpen = attachments.enlarged.value !== undefined;
  useEffect(() => {
    if (!isOpen || View !== undefined) return;
    void loadPart('later.ts', () => import('../../later.ts')).then(({ Lightbox }) =>
      setView(() => Lightbox),
    );
  }, [attachments, isOpen, View]);
  return View === undefined ? null : <View />;
}
