import type { Catalogue } from '../text/catalogue.ts';
import type { Formats } from '../text/formats.ts';
import { useFormats, useText } from '../text/use-text.ts';
import { connectionStatus, type ConnectionStatus } from './connection-status.ts';
import { useConnection } from './use-connection.ts';
import { useTimeLeft } from '../ui/use-time-left.ts';

/** The state of the connection: a dot and words if something is wrong, and always for screen readers. The banner announces changes. */
export function ConnectionIndicator() {
  const status = useConnectionStatus();
  const retryAtMs = 'retryAtMs' in status ? status.retryAtMs : undefined;
  const leftMs = useTimeLeft(retryAtMs);
  const formats = useFormats();
  const { connection: words } = useText().shell;
  return (
    <div class={`status status-${status.kind.replace('_', '-')}`}>
      <span class="visually-hidden">{`${words.label}: ${shortWords(status, words)}`}</span>
      {status.kind !== 'online' && (
        <>
          <span class="status-dot" />
          <span class="status-words" aria-hidden="true">
            {leftMs > 0
              ? countdown(status, words, formats.duration(leftMs))
              : shortWords(status, words)}
          </span>
        </>
      )}
    </div>
  );
}

/** The connection in the reader's terms. */
export function useConnectionStatus(): ConnectionStatus {
  const { state, isOnline, isBusy } = useConnection();
  return connectionStatus(state.value, { isOnline: isOnline.value, isBusy: isBusy.value });
}

type Words = Catalogue['shell']['connection'];

/** The state of the connection in a word or two. */
export function shortWords(status: ConnectionStatus, words: Words): string {
  switch (status.kind) {
    case 'connecting':
      return words.connecting;
    case 'online':
      return words.online;
    case 'busy':
      return words.busy;
    case 'catching_up':
      return words.catchingUp;
    case 'offline':
      return words.offline;
    case 'reconnecting':
    case 'rate_limited':
      return words.reconnecting;
    case 'closed':
    case 'banned':
      return words.closed;
  }
}

function countdown(status: ConnectionStatus, words: Words, time: ReturnType<Formats['duration']>) {
  return status.kind === 'rate_limited' ? words.rateLimitedFor(time) : words.reconnectingIn(time);
}
