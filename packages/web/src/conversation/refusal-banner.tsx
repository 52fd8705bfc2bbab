import { useConnectionStatus } from '../connection/connection-indicator.tsx';
import { useFormats, useText } from '../text/use-text.ts';
import { describeRefusal } from './describe-refusal.ts';
import type { Refusal } from './refusals.ts';
import { useConversation } from './use-conversation.ts';

/** The gateway says no more than this. */
const BANNED: Refusal = { code: 'banned', untilMs: undefined, reason: undefined };

/** Above the message box: that writing is paused, or the reader banned. */
export function RefusalBanner() {
  const { refusals } = useConversation();
  const status = useConnectionStatus();
  const text = useText();
  const formats = useFormats();
  const isBanned = status.kind === 'banned';
  const refusal = refusals.current.value ?? (isBanned ? BANNED : undefined);
  return (
    <div class={refusal === undefined ? 'banner banner-none' : 'banner banner-warning'}>
      <p role="status">{refusal !== undefined && describeRefusal(refusal, text, formats)}</p>
      {isBanned && (
        <button type="button" class="button button-quiet" onClick={() => location.reload()}>
          {text.shell.banner.reload}
        </button>
      )}
    </div>
  );
}
