import type { Crosspost, Id, Post } from '@hearth/protocol';
import { newPostSchema } from '@hearth/protocol/schemas';
import type { Account } from '../../../actor.ts';
import { postOnce, type PostingContext } from './create-post.ts';
import { accessToPost } from './post-access.ts';

/**
 * Posts the title, the address and the marks of a post that the caller sees to another channel; the content is not copied. Throws what
 * posting there throws, and NotFoundError if the caller may not know that the post exists.
 */
export async function crosspost(
  ctx: PostingContext,
  actor: Account,
  { id, channel_id, title, nonce }: Crosspost & { readonly id: Id },
): Promise<Post> {
  const read = async () => {
    const { post } = await accessToPost(ctx, actor, id);
    // It may have been stored when more addresses were allowed.
    const { data: url } = newPostSchema.shape.url.safeParse(post.url);
    return {
      title: title ?? post.title,
      ...(url !== undefined && { url }),
      ...(post.isSpoiler && { spoiler: true }),
      ...(post.isSensitive && { sensitive: true }),
      ...(nonce !== undefined && { nonce }),
      crosspostOf: id,
    };
  };
  return await postOnce(ctx, actor, { channelId: channel_id, nonce, read });
}
