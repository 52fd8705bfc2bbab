import type { Id } from '@hearth/protocol';
import { ownPath } from '../../lib/own-path.ts';
import { useText } from '../../text/use-text.ts';
import { PostsIcon } from '../../ui/icons.tsx';
import { useConversation } from '../use-conversation.ts';
import type { ShownMessage } from './timeline.ts';

/** A message that shows a new post: a link to it. */
export function PostCard({
  message: { content, postId },
}: {
  readonly message: Pick<ShownMessage, 'content' | 'postId'>;
}) {
  const { reading: words } = useText();
  const { postPath } = useConversation();
  if (postId === undefined || postPath === undefined) {
    return <p class="hint">{words.hiddenPost}</p>;
  }
  return (
    <a class="new-post-card" href={ownPath(postPath(postId))}>
      <PostsIcon />
      <span class="new-post-hint">{words.newPost}</span>
      <bdi class="new-post-title">{content}</bdi>
    </a>
  );
}

/** Leads from a message to the post that was made from it. */
export function PostLink({ id }: { readonly id: Id }) {
  const { reading: words } = useText();
  const { postPath } = useConversation();
  if (postPath === undefined) return null;
  return (
    <a class="message-post" href={ownPath(postPath(id))}>
      <PostsIcon />
      {words.hasPost}
    </a>
  );
}
