import { useText } from '../../text/use-text.ts';
import { ReplyIcon } from '../../ui/action-icons.tsx';
import { CloseIcon } from '../../ui/icons.tsx';
import { nameOfWriter } from '../author.ts';
import { excerptOf } from '../reply-target.ts';
import { useConversation } from '../use-conversation.ts';

/** Above the message box: the message that is replied to. */
export function ReplyStrip() {
  const { reply, draft, writerOf } = useConversation();
  const { reading: words } = useText();
  const target = reply.value;
  return (
    <div class="reply-region" role="status">
      {target !== undefined && (
        <div class="reply-strip">
          <ReplyIcon />
          <p>
            <span class="reply-to">
              {words.replyingTo(nameOfWriter({ ...target, user: writerOf(target) }))}
            </span>{' '}
            <span class="quote-excerpt" dir="auto">
              {excerptOf(target)}
            </span>
          </p>
          <button
            type="button"
            class="icon-button"
            aria-label={words.cancelReply}
            title={words.cancelReply}
            onClick={() => {
              reply.value = undefined;
              draft.resume();
            }}
          >
            <CloseIcon />
          </button>
        </div>
      )}
    </div>
  );
}
