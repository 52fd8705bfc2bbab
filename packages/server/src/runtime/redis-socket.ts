/** One connection to a Redis server. It never reconnects: a caller that needs another connection makes a new one. */
export interface RedisSocket {
  /** Connects and authenticates, once. Rejects if that fails, without the reason, which the runtime does not report. */
  connect(): Promise<void>;
  /**
   * Commands are sent and answered in the order of the calls. {@link isRedisAnswer} says which kind of error a
   * rejection is.
   */
  send(command: string, args: readonly string[]): Promise<unknown>;
  /** Cuts the connection; pending commands are rejected. */
  close(): void;
}

export interface RedisSocketOptions {
  readonly url: string;
  readonly connectTimeoutMs: number;
  /** Called when the connection has ended, on either side. */
  readonly onClose: () => void;
}

/** A connection that is not yet made. Throws if the URL is not one of Redis. */
export function redisSocket({ url, connectTimeoutMs, onClose }: RedisSocketOptions): RedisSocket {
  const client = new Bun.RedisClient(url, {
    connectionTimeout: connectTimeoutMs,
    // One client per connection: after its own reconnect, the runtime has given answers to the wrong commands
    // (oven-sh/bun#27861).
    autoReconnect: false,
    enableOfflineQueue: false,
  });
  client.onclose = onClose;
  return {
    connect: () => client.connect(),
    send: (command, args) => client.send(command, [...args]),
    close: () => client.close(),
  };
}

/** Returns whether the server itself answered with this error, so that the connection still works. */
export function isRedisAnswer(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === 'ERR_REDIS_SERVER_ERROR';
}
