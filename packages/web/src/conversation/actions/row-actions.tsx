import type { ReadonlySignal } from '@preact/signals';
import { useText } from '../../text/use-text.ts';
import { MoreIcon, ReplyIcon } from '../../ui/action-icons.tsx';
import { EmojiIcon } from '../../ui/icons.tsx';
import { useMayChange } from '../changes/may-change.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import type { MessageRow } from '../list/timeline.ts';
import { useConversation } from '../use-conversation.ts';
import { reply } from './reply.ts';

interface RowActionsProps {
  readonly row: MessageRow;
  /** The text that is copied. */
  readonly text: string;
  /** True if the reader has been at the message. */
  readonly isNear: ReadonlySignal<boolean>;
}

/**
 * The main actions for a message, over its upper edge. The list opens the menu. Tab skips them, or it would take hundreds of
 * presses to pass the messages: with the keyboard, the arrows lead to a message and Enter opens its menu. Until the reader is
 * near, there is only the menu, because the others would be a third of what is drawn while the list scrolls.
 */
export function RowActions({ row, text, isNear }: RowActionsProps) {
  const conversation = useConversation();
  const { reading: words } = useText();
  const { id } = row.message;
  const mayReact = useMayChange()(row.message).react;
  return (
    <div class="message-actions">
      {isNear.value && mayReact && id !== undefined && (
        <button
          type="button"
          class="row-action"
          tabIndex={-1}
          aria-label={words.react}
          title={words.react}
          data-opens-emoji
          onClick={({ currentTarget: opener }) => {
            conversation.changes.acting.value = { kind: 'react', id, opener };
          }}
        >
          <EmojiIcon />
        </button>
      )}
      {isNear.value && row.delivery === undefined && (
        <button
          type="button"
          class="row-action"
          tabIndex={-1}
          aria-label={words.reply}
          title={words.reply}
          onClick={() => reply(conversation, row.message)}
        >
          <ReplyIcon />
        </button>
      )}
      {isNear.value && (
        <CopyButton class="row-action" tabIndex={-1} label={words.copyText} text={text} />
      )}
      <button
        type="button"
        class="row-action"
        tabIndex={-1}
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
