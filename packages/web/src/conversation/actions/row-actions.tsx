import { useText } from '../../text/use-text.ts';
import { MoreIcon, ReplyIcon } from '../../ui/action-icons.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import type { MessageRow } from '../list/timeline.ts';
import { useConversation } from '../use-conversation.ts';
import { reply } from './message-actions.tsx';

interface RowActionsProps {
  readonly row: MessageRow;
  /** The text that is copied. */
  readonly text: string;
}

/** The main actions for a message, over its upper edge. The list opens the menu. */
export function RowActions({ row, text }: RowActionsProps) {
  const conversation = useConversation();
  const { reading: words } = useText();
  return (
    <div class="message-actions">
      {row.delivery === undefined && (
        <button
          type="button"
          class="row-action"
          aria-label={words.reply}
          title={words.reply}
          onClick={() => reply(conversation, row.message)}
        >
          <ReplyIcon />
        </button>
      )}
      <CopyButton class="row-action" label={words.copyText} text={text} />
      <button
        type="button"
        class="row-action"
        aria-haspopup="menu"
        aria-label={words.more}
        title={words.more}
        data-opens-menu
      >
        <MoreIcon />
      </button>
    </div>
  );
}
