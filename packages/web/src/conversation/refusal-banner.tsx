import { useEffect } from 'preact/hooks';
import { useConnection } from '../connection/use-connection.ts';
import { useFormats, useText } from '../text/use-text.ts';
import { describeError } from './describe-error.ts';
import { describeRefusal } from './describe-refusal.ts';
import type { Refusal } from './refusals.ts';
import { useConversation } from './use-conversation.ts';

/** The refusal of an instance that knows no more. */
const BANNED: Refusal = { code: 'banned', untilMs: undefined, reason: undefined };

/** The time for which it says that a change has failed. */
const FAILURE_MS = 10_000;

/** Above the message box: that writing is paused, or the reader banned, or why a change has failed. */
export function RefusalBanner() {
  const { refusals, changes } = useConversation();
  const { value: connection } = useConnection().state;
  const text = useText();
  const formats = useFormats();
  const isBanned = connection.state === 'closed' && connection.reason === 'banned';
  // If its end is known and nothing is refused any more, it is over.
  const isOver = isBanned && connection.ban?.until !== undefined;
  const refusal = refusals.current.value ?? (isBanned && !isOver ? BANNED : undefined);
  const failure = changes.failure.value;
  useEffect(() => {
    if (failure === undefined) return undefined;
    const timer = setTimeout(() => void (changes.failure.value = undefined), FAILURE_MS);
    return () => clearTimeout(timer);
  }, [failure, changes]);
  const failed = failure !== undefined && describeError(failure, text, formats);
  const words =
    refusal === undefined
      ? (isOver && text.shell.banner.closed) || failed
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
