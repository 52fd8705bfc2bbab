import type { NotifiedTexts } from '../../talk/notifications/notifications.ts';
import { selectPosts } from './store.ts';

/** Posts that people are notified of. Spoilers have no content. */
export const notifiedPosts: NotifiedTexts['posts'] = async (db, ids) => {
  const posts = await selectPosts(db, ids);
  return new Map(
    posts.map(({ id, title, content, isSpoiler }) => [
      id,
      { title, content: isSpoiler ? '' : content },
    ]),
  );
};
