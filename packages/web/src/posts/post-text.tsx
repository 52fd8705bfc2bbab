import type { Post } from '@hearth/protocol';
import { useMemo } from 'preact/hooks';
import { useAccounts } from '../account/use-accounts.ts';
import { namingOf } from '../channels/channel-naming.ts';
import { Markdown } from '../conversation/markdown/markdown.tsx';
import { useMarkdown } from '../conversation/markdown/use-markdown.ts';

interface TextProps {
  readonly written: Pick<Post, 'content' | 'mentions' | 'mention_posts'>;
}

/** The text of a post or comment, as messages are shown. */
export function PostText({ written: { content = '', mentions, mention_posts: posts } }: TextProps) {
  const owner = useAccounts().current.value?.id;
  const text = useMarkdown(content);
  const naming = useMemo(() => {
    const named = { ...(mentions && { mentions }), ...(posts && { mention_posts: posts }) };
    return namingOf(named, { owner, community: undefined });
  }, [mentions, posts, owner]);
  return (
    <div class="message-text post-text">
      <Markdown text={text} naming={naming} />
    </div>
  );
}
