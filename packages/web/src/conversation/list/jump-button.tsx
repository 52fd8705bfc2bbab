import { useConversation } from '../use-conversation.ts';
import { ArrowDownIcon } from '../../ui/icons.tsx';
import { useFormats, useText } from '../../text/use-text.ts';

interface JumpButtonProps {
  readonly isAtEnd: boolean;
  readonly onJump: () => void;
}

/** A button to the newest message, with the number of messages that came while the reader was elsewhere. */
export function JumpButton({ isAtEnd, onJump }: JumpButtonProps) {
  const { messages } = useConversation();
  const { conversation: text } = useText();
  const formats = useFormats();
  const unread = isAtEnd ? 0 : messages.unread.value;
  const words = unread === 0 ? '' : text.newMessages(unread, formats.count(unread));
  return (
    <div class="jump">
      <span class="visually-hidden" role="status">
        {words}
      </span>
      {!isAtEnd && (
        <button
          type="button"
          class={unread === 0 ? 'jump-button' : 'jump-button jump-new'}
          aria-label={unread === 0 ? text.jumpToNewest : `${words}. ${text.jumpToNewest}`}
          title={text.jumpToNewest}
          onClick={onJump}
        >
          {words !== '' && <span>{words}</span>}
          <ArrowDownIcon />
        </button>
      )}
    </div>
  );
}
