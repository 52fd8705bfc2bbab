import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useConversation } from '../use-conversation.ts';
import { loadPart } from '../../lib/load-part.ts';

/** The files of messages that are being written or sent. Their views are loaded with the first file. */
export function UploadViewsOnDemand() {
  const { messages, picked, refused } = useConversation().uploads;
  const [View, setView] = useState<ComponentType | undefined>(undefined);
  const count = messages.value.length + picked.value.length + refused.value.length;
  const isNeeded = count > 0 && View === undefined;
  useEffect(() => {
    if (!isNeeded) return;
    void loadPart('later.ts', () => import('../../later.ts')).then(({ UploadViews }) =>
      setView(() => UploadViews),
    );
  }, [isNeeded]);
  return View === undefined ? null : <View />;
}
