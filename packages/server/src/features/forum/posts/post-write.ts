import type { Id, Post } from '@hearth/protocol';
import type { HasIndexes } from '../../talk/index-queue/index-queue.ts';
import type { ChannelWrite, InOrder, NotWritten } from '../../talk/messages/messages.ts';
import { postOfDraft, type PostDraft } from './post-draft.ts';
import type { StoredPost } from './stored-post.ts';

/** A post that is to be written. */
export interface PostWrite extends ChannelWrite {
  readonly ctx: ChannelWrite['ctx'] & HasIndexes;
  readonly draft: PostDraft;
}

/** A post as everyone sees it, or the reason why it was not written. */
export type Posted = { readonly post: Post } | NotWritten;

/** A post in the order of its channel. */
export type Placed = InOrder<PostWrite> & { readonly post: StoredPost };

/** A post in its place. */
export function placedOf(entry: InOrder<PostWrite>): Placed {
  const { id, turning, draft, writtenAtMs: createdAtMs } = entry;
  const post = postOfDraft({ ...draft, createdAtMs }, turning.access.channel, id);
  return { ...entry, post };
}

/** The channel of a post. */
export function channelOf({ turning }: Pick<PostWrite, 'turning'>): Id {
  return turning.access.channel.id;
}
