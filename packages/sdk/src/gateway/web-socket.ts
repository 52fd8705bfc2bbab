/** The part of WebSocket that this library uses. Browsers, Bun, Deno, Node and the packages ws and undici all have it. */
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
export type WebSocketConstructor = new (url: string, protocols?: string[]) => WebSocketLike;
