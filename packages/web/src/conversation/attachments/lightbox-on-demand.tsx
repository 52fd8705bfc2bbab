import { useViews } from '../../lib/views.ts';
import { useAttachments } from './use-attachments.ts';

/** The large picture, if one is open. Its view is loaded with the first one. */
export function LightboxOnDemand() {
  const { enlarged } = useAttachments();
  const views = useViews('later', enlarged.value !== undefined);
  return views === undefined ? null : <views.Lightbox />;
}
