import type { NotifiedTexts } from '../notifications/notifications.ts';
import { selectTexts } from './content-store.ts';

/** The texts of messages that people are notified of. */
export const notifiedMessages: NotifiedTexts['messages'] = async (db, messages) => {
  const texts = await selectTexts(db, messages);
  return new Map(texts.map(({ id, content }) => [id, content]));
};
