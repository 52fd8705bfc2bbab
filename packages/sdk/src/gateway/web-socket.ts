/** What this library uses of a WebSocket; that of browsers, Bun, Deno, Node and of the packages ws and undici is one. */
export interface WebSocketLike {
  readonly readyState: number;
  send(data: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: 'open' | 'error', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(
    type: 'close',
    listener: (event: { readonly code: number; readonly reason: string }) => void,
  ): void;
}

/** Opens a WebSocket. */
export type WebSocketConstructor = new (url: string) => WebSocketLike;
