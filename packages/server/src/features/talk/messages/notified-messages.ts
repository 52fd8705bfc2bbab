import type { NotifiedTexts } from '../notifications/notifications.ts';
import { selectContents } from './content-store.ts';

/** The texts of messages that people are notified of. */
export const notifiedMessages: NotifiedTexts['messages'] = async (db, messages) => {
  const contents = await selectContents(db, messages);
  return new Map(contents.map(({ id, content }) => [id, content]));
};
