import { useConversation } from '../use-conversation.ts';
import { useViews } from '../../lib/views.ts';

/** The files of messages that are being written or sent. Their views are loaded with the first file. */
export function UploadViewsOnDemand() {
  const { sending, picked, refused } = useConversation().uploads;
  const count = sending.value.length + picked.value.length + refused.value.length;
  const views = useViews('later', count > 0);
  return views === undefined ? null : <views.UploadViews />;
}
