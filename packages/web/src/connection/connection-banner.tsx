import type { Catalogue } from '../text/catalogue.ts';
import { useFormats, useText } from '../text/use-text.ts';
import { shortWords, useConnectionStatus } from './connection-indicator.tsx';
import type { ConnectionStatus } from './connection-status.ts';
import { useConnection } from './use-connection.ts';
import { useTimeLeft } from '../ui/use-time-left.ts';

/**
 * Above the message box: why the lobby is not live, and what happens to messages written meanwhile. It is the only place
 * that announces changes to screen readers, including improvements.
 */
export function ConnectionBanner() {
  const { banner, connection } = useText().shell;
  const status = useConnectionStatus();
  const words = bannerWords(status, banner);
  const tone = status.kind === 'closed' ? 'danger' : 'warning';
  return (
    <div class={words === undefined ? 'banner banner-none' : `banner banner-${tone}`}>
      <p role="status">
        {words ?? <span class="visually-hidden">{shortWords(status, connection)}</span>}
      </p>
      {'retryAtMs' in status && <NextTry retryAtMs={status.retryAtMs} />}
      {status.kind === 'closed' && (
        <button type="button" class="button button-quiet" onClick={() => location.reload()}>
          {banner.reload}
        </button>
      )}
    </div>
  );
}

function NextTry({ retryAtMs }: { readonly retryAtMs: number | undefined }) {
  const { reconnectNow } = useConnection();
  const { banner, connection } = useText().shell;
  const formats = useFormats();
  const leftMs = useTimeLeft(retryAtMs);
  return (
    <>
      {/* Nobody wants to hear every second. */}
      <span aria-hidden="true">
        {leftMs > 0 ? banner.nextTry(formats.duration(leftMs)) : connection.connecting}
      </span>
      <button type="button" class="button button-quiet" onClick={reconnectNow}>
        {connection.tryNow}
      </button>
    </>
  );
}

function bannerWords(
  status: ConnectionStatus,
  banner: Catalogue['shell']['banner'],
): string | undefined {
  switch (status.kind) {
    case 'offline':
      return banner.offline;
    case 'reconnecting':
      return banner.reconnecting;
    case 'rate_limited':
      return banner.rateLimited;
    case 'busy':
      return banner.busy;
    case 'closed':
      return banner.closed;
    // The conversation says so, with what is known about it.
    case 'banned':
    case 'connecting':
    case 'online':
    case 'catching_up':
      return undefined;
  }
}
