import { useConnection } from '../connection/use-connection.ts';
import { useFormats, useText } from '../text/use-text.ts';
import { describeRefusal } from './describe-refusal.ts';
import type { Refusal } from './refusals.ts';
import { useConversation } from './use-conversation.ts';

/** What an instance says that knows no more. */
const BANNED: Refusal = { code: 'banned', untilMs: undefined, reason: undefined };

/** Above the message box: that writing is paused, or the reader banned. */
export function RefusalBanner() {
  const { refusals } = useConversation();
  const { value: connection } = useConnection().state;
  const text = useText();
  const formats = useFormats();
  const isBanned = connection.state === 'closed' && connection.reason === 'banned';
  // If its end is known and nothing is refused any more, it is over.
  const isOver = isBanned && connection.ban?.until !== undefined;
  const refusal = refusals.current.value ?? (isBanned && !isOver ? BANNED : undefined);
  const words =
    refusal === undefined
      ? isOver && text.shell.banner.closed
      : describeRefusal(refusal, text, formats);
  return (
    <div class={words === false ? 'banner banner-none' : 'banner banner-warning'}>
      <p role="status">{words}</p>
      {isBanned && (
        <button type="button" class="button button-quiet" onClick={() => location.reload()}>
          {text.shell.banner.reload}
        </button>
      )}
    </div>
  );
}
