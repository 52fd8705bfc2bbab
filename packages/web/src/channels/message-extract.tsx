import type { ChannelMessage } from '@hearth/protocol';
import { useMemo } from 'preact/hooks';
import { Markdown } from '../conversation/markdown/markdown.tsx';
import { useMarkdown } from '../conversation/markdown/use-markdown.ts';
import { useConversation } from '../conversation/use-conversation.ts';
import { useFormats } from '../text/use-text.ts';
import { useChannelText } from './use-channel-text.ts';

type ExtractProps = Pick<ChannelMessage, 'content'> & {
  readonly message?: ChannelMessage;
};

/** Shows what a message says, or said, outside of its conversation. */
export function MessageExtract({ content, message }: ExtractProps) {
  const { naming } = useConversation();
  const words = useChannelText();
  const formats = useFormats();
  const parsed = useMarkdown(content);
  const named = useMemo(() => {
    const plain = { split: (text: string) => [text] };
    return message === undefined ? plain : (naming?.({ named: message }) ?? plain);
  }, [naming, message]);
  const files = message?.attachments?.length ?? 0;
  return (
    <div class="message-extract">
      {content !== '' && (
        <div class="message-text">
          <Markdown text={parsed} naming={named} />
        </div>
      )}
      {files > 0 && <p class="hint">{words.files(files, formats.count(files))}</p>}
      {content === '' && files === 0 && <p class="hint">{words.noText}</p>}
    </div>
  );
}
