import type { UserSummary } from '@hearth/protocol';
import { parseDocument } from '@hearth/markdown';
import { useMemo } from 'preact/hooks';
import { useAccounts } from '../account/use-accounts.ts';
import { namingOf } from '../channels/channel-naming.ts';
import { Markdown } from '../conversation/markdown/markdown.tsx';

interface TextProps {
  readonly content: string;
  readonly mentions: readonly UserSummary[] | undefined;
}

/** The text of a post or comment, as messages are shown. */
export function PostText({ content, mentions }: TextProps) {
  const owner = useAccounts().current.value?.id;
  const sections = useMemo(() => parseDocument(content), [content]);
  const { split } = useMemo(
    () => namingOf({ mentions: [...(mentions ?? [])] }, { owner, community: undefined }),
    [mentions, owner],
  );
  return (
    <div class="message-text post-text">
      {sections.map((text, at) => (
        <Markdown key={at} text={text} split={split} />
      ))}
    </div>
  );
}
