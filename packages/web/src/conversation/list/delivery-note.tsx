import { putBack } from '../reply-target.ts';
import { useConversation } from '../use-conversation.ts';
import type { Delivery, FailedDelivery } from '../../writing/outbox/pending-message.ts';
import { useTimeLeft } from '../../ui/use-time-left.ts';
import { describeUnsent } from '../describe-error.ts';
import { useFormats, useText } from '../../text/use-text.ts';
import type { MessageRow } from './timeline.ts';

interface DeliveryNoteProps {
  readonly message: MessageRow['message'];
  readonly delivery: Delivery;
}

/** The state of a message that has not come back yet. */
export function DeliveryNote({ message, delivery }: DeliveryNoteProps) {
  const { conversation: words } = useText();
  switch (delivery.state) {
    case 'sending':
      return <p class="delivery">{words.sending}</p>;
    case 'waiting':
      return <Waiting untilMs={delivery.untilMs} />;
    case 'failed':
      return <Failed message={message} delivery={delivery} />;
  }
}

function Waiting({ untilMs }: { readonly untilMs: number | undefined }) {
  const { conversation: words } = useText();
  const formats = useFormats();
  const leftMs = useTimeLeft(untilMs);
  if (untilMs === undefined) return <p class="delivery">{words.waitingForConnection}</p>;
  if (leftMs === 0) return <p class="delivery">{words.sending}</p>;
  return <p class="delivery">{words.waitingUntil(formats.duration(leftMs))}</p>;
}

interface FailedProps {
  readonly message: MessageRow['message'];
  readonly delivery: FailedDelivery;
}

/** The actions remove the row that has the focus, so the focus moves to the message box. */
function Failed({ message, delivery }: FailedProps) {
  const conversation = useConversation();
  const { outbox, draft } = conversation;
  const text = useText();
  const formats = useFormats();
  const { key, content } = message;
  const leave = (act: () => void) => () => {
    act();
    draft.resume();
  };
  const edit = () => {
    outbox.discard(key);
    putBack(conversation, content);
  };
  return (
    <div class="delivery delivery-failed">
      <p role="alert">{describeUnsent(delivery, text, formats)}</p>
      {delivery.isRetryable && (
        <button type="button" class="text-button" onClick={leave(() => outbox.retry(key))}>
          {text.conversation.tryAgain}
        </button>
      )}
      <button type="button" class="text-button" onClick={leave(edit)}>
        {text.conversation.editUnsent}
      </button>
      <button type="button" class="text-button" onClick={leave(() => outbox.discard(key))}>
        {text.conversation.deleteUnsent}
      </button>
    </div>
  );
}
