import type { Id } from '@hearth/protocol';
import { ANYONE } from '../../actor.ts';
import type { InstanceContext } from '../../instance-context.ts';
import type { ExportPart } from '../exports/export-part.ts';
import { listed } from '../exports/listed.ts';
import { describePolls } from '../polls/describe-polls.ts';
import { selectPostsOf } from './store.ts';
import { selectSavedPosts } from './visit-store.ts';

/** How many posts are read at a time. */
const AT_ONCE = 100;

/** The posts of a person, the oldest first, and those that they have saved, the newest first. */
export const exportPosts: ExportPart = async (ctx, userId) => [
  {
    name: 'posts.json',
    modifiedAtMs: ctx.clock.unixMs(),
    read: () => listed(postsOf(ctx, userId)),
  },
  {
    name: 'saved-posts.json',
    modifiedAtMs: ctx.clock.unixMs(),
    read: () => listed(savedOf(ctx, userId)),
  },
];

async function* postsOf(ctx: InstanceContext, userId: Id): AsyncGenerator<object> {
  for (let after: Id | undefined; ;) {
    const range = { limit: AT_ONCE, ...(after !== undefined && { after }) };
    const posts = await selectPostsOf(ctx.database.reader, userId, range);
    const ids = posts.map(({ id }) => id);
    const polls = await describePolls(ctx, ANYONE, ids);
    for (const post of posts) {
      const { channelId, id, title, content, url, createdAtMs, editedAtMs, files } = post;
      const poll = polls.get(id);
      yield {
        channel_id: channelId,
        id,
        title,
        ...(content !== '' && { content }),
        ...(url !== '' && { url }),
        created_at: createdAtMs,
        ...(editedAtMs > 0 && { edited_at: editedAtMs }),
        ...(files.length > 0 && { attachments: files }),
        ...(poll !== undefined && { poll }),
      };
    }
    after = posts.at(-1)?.id;
    if (after === undefined) return;
  }
}

async function* savedOf({ database }: InstanceContext, userId: Id): AsyncGenerator<object> {
  for (let before: Id | undefined; ;) {
    const posts = await selectSavedPosts(database.reader, userId, { before, limit: AT_ONCE });
    for (const { channelId, id } of posts) yield { channel_id: channelId, id };
    before = posts.at(-1)?.id;
    if (before === undefined) return;
  }
}
