import type { ConnectionState } from '@hearth/sdk';

/** The connection in the reader's terms; `retryAtMs` in Unix milliseconds of our clock. */
export type ConnectionStatus =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'online' }
  /** Too much is happening where the reader wants to change something: that waits. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'catching_up' }
  | { readonly kind: 'offline' }
  | { readonly kind: 'reconnecting'; readonly retryAtMs: number | undefined }
  | { readonly kind: 'rate_limited'; readonly retryAtMs: number }
  | { readonly kind: 'closed' }
  | { readonly kind: 'banned' };

interface Surroundings {
  /** True if the browser has a network. */
  readonly isOnline: boolean;
  /** True if requests are repeated because their places are busy. */
  readonly isBusy: boolean;
}

/** Returns what `connection` and what surrounds it mean to the reader. */
export function connectionStatus(
  connection: ConnectionState,
  { isOnline, isBusy }: Surroundings,
): ConnectionStatus {
  if (connection.state === 'closed') {
    return { kind: connection.reason === 'banned' ? 'banned' : 'closed' };
  }
  if (!isOnline) return { kind: 'offline' };
  switch (connection.state) {
    case 'idle':
      return { kind: 'connecting' };
    case 'connecting':
      return connection.attempt === 0
        ? { kind: 'connecting' }
        : { kind: 'reconnecting', retryAtMs: undefined };
    case 'open':
      if (!connection.isCurrent) return { kind: 'catching_up' };
      return { kind: isBusy ? 'busy' : 'online' };
    case 'waiting': {
      const { reason, retryAtMs } = connection;
      return { kind: reason === 'rate_limited' ? 'rate_limited' : 'reconnecting', retryAtMs };
    }
  }
}
