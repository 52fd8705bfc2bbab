import type { ConnectionState } from '@hearth/sdk';

/** The connection in the reader's terms; `retryAtMs` in Unix milliseconds of our clock. */
export type ConnectionStatus =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'online' }
  | { readonly kind: 'catching_up' }
  | { readonly kind: 'offline' }
  | { readonly kind: 'reconnecting'; readonly retryAtMs: number | undefined }
  | { readonly kind: 'rate_limited'; readonly retryAtMs: number }
  | { readonly kind: 'closed' }
  | { readonly kind: 'banned' };

/** What `connection` and the browser's network state mean to the reader. */
export function connectionStatus(connection: ConnectionState, isOnline: boolean): ConnectionStatus {
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
      return { kind: connection.isCurrent ? 'online' : 'catching_up' };
    case 'waiting': {
      const { reason, retryAtMs } = connection;
      return { kind: reason === 'rate_limited' ? 'rate_limited' : 'reconnecting', retryAtMs };
    }
  }
}
