import type { AnnouncePreviews } from '../link-previews/preview-announcer.ts';
import type { CommunityContext } from '../communities/community-context.ts';
import { channelNow, emitAt } from '../messages/turn.ts';
import { namedInEvents, postInEvents } from './post-in-events.ts';
import { lockPost, selectPosts, updatePost } from './store.ts';
import type { StoredPost } from './stored-post.ts';

/** Sends posts whose previews are ready to everyone who sees their channels. */
export const announcePostPreviews: AnnouncePreviews = async (ctx, ids) => {
  for (const post of await selectPosts(ctx.database.reader, ids)) await announce(ctx, post);
};

async function announce(ctx: CommunityContext, seen: StoredPost): Promise<void> {
  const { id, channelId } = seen;
  for (let known = seen; ;) {
    const named = await namedInEvents(ctx, [known]);
    const changed = await ctx.database.transaction(async (tx) => {
      const place = await channelNow(tx, channelId);
      const post = await lockPost(tx.sql, id);
      if (place === undefined || post === undefined) return undefined;
      // What it names has to be read again, which no transaction does.
      if (post.version !== known.version) return post;
      const updated = { ...post, version: post.version + 1 };
      await updatePost(tx.sql, updated);
      await emitAt(tx, place, { op: 'POST_UPDATE', d: postInEvents(updated, named) });
      return undefined;
    });
    if (changed === undefined) return;
    known = changed;
  }
}
