import type { Id } from '@hearth/protocol';
import { ANYONE } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import type { KeepsCommunities } from '../../communities/structure/structure.ts';
import { listFile, type ExportPart } from '../../accounts/exports/exports.ts';
import { describePolls } from '../polls/polls.ts';
import type { PostsContext } from './posts-context.ts';
import { selectPostsOf } from './store.ts';
import type { StoredPost } from './stored-post.ts';
import { selectSavedPosts } from './visit-store.ts';

/** The number of posts that are read at a time. */
const AT_ONCE = 100;

/** The posts of a person, the oldest first, and those that they have saved, the newest first. */
export const exportPosts: ExportPart<PostsContext> = async (ctx, userId) => [
  listFile(ctx, 'posts.json', () => postsOf(ctx, userId)),
  listFile(ctx, 'saved-posts.json', () => savedOf(ctx, userId)),
];

async function* postsOf(ctx: Context & KeepsCommunities, userId: Id): AsyncGenerator<object> {
  for (let after: Id | undefined; ;) {
    const range = { limit: AT_ONCE, ...(after !== undefined && { after }) };
    const posts = await selectPostsOf(ctx.database.reader, userId, range);
    const ids = posts.map(({ id }) => id);
    const polls = await describePolls(ctx, ANYONE, ids);
    const tags = await tagsOf(ctx, posts);
    for (const post of posts) {
      const poll = polls.get(post.id);
      yield { ...exported(post, tags(post)), ...(poll !== undefined && { poll }) };
    }
    after = posts.at(-1)?.id;
    if (after === undefined) return;
  }
}

/** A post with all that was given when it was written, also if others do not see it, and with its marks. */
function exported(post: StoredPost, tags: readonly string[]): object {
  const { channelId, id, title, content, url, createdAtMs, editedAtMs, files } = post;
  const { fromChannelId, fromMessageId, crosspostOf } = post;
  return {
    channel_id: channelId,
    id,
    title,
    ...(content !== '' && { content }),
    ...(url !== '' && { url }),
    created_at: createdAtMs,
    ...(editedAtMs > 0 && { edited_at: editedAtMs }),
    ...(tags.length > 0 && { tags }),
    ...(post.isSpoiler && { spoiler: true }),
    ...(post.isSensitive && { sensitive: true }),
    ...(post.isPinned && { pinned: true }),
    ...(post.isLocked && { locked: true }),
    ...(fromMessageId !== '' && { from_message: { channel_id: fromChannelId, id: fromMessageId } }),
    ...(crosspostOf !== '' && { crosspost_of: crosspostOf }),
    ...(files.length > 0 && { attachments: files }),
  };
}

/** The names of the tags of posts; those that their channels do not have any more are left out. */
async function tagsOf(
  { communities }: KeepsCommunities,
  posts: readonly StoredPost[],
): Promise<(post: StoredPost) => readonly string[]> {
  const homes = await communities.all(posts.map(({ communityId }) => communityId));
  return ({ communityId, channelId, tagIds }) => {
    const { tags = [] } = homes.get(communityId)?.channelById.get(channelId)?.postSettings ?? {};
    return tagIds.flatMap((id) => tags.find((tag) => tag.id === id)?.name ?? []);
  };
}

async function* savedOf({ database }: Context, userId: Id): AsyncGenerator<object> {
  for (let before: Id | undefined; ;) {
    const posts = await selectSavedPosts(database.reader, userId, { before, limit: AT_ONCE });
    for (const { channelId, id } of posts) yield { channel_id: channelId, id };
    before = posts.at(-1)?.id;
    if (before === undefined) return;
  }
}
