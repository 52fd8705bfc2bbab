import type { NotifiedTexts } from '../../talk/notifications/notifications.ts';
import { selectComments } from './store.ts';

/** The texts of comments that people are notified of. */
export const notifiedComments: NotifiedTexts['comments'] = async (db, ids) => {
  const comments = await selectComments(db, ids);
  return new Map(
    comments.flatMap(({ id, content, deletedAtMs }) => (deletedAtMs > 0 ? [] : [[id, content]])),
  );
};
