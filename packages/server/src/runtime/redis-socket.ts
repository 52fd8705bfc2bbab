/** One connection to a Redis server, which is never made anew: who wants another makes another. */
export interface RedisSocket {
  /** Connects and says who we are, once; rejects where that fails, without the reason, which the runtime does not tell. */
  connect(): Promise<void>;
  /** Commands are sent and answered in the order of the calls. Rejects with what {@link isRedisAnswer} tells apart. */
  send(command: string, args: readonly string[]): Promise<unknown>;
  /** Cuts the connection; what is under way is rejected. */
  close(): void;
}

/** What a connection to Redis asks of the runtime. */
export interface RedisSocketOptions {
  readonly url: string;
  readonly connectTimeoutMs: number;
  /** Told when the connection has ended, whoever ended it. */
  readonly onClose: () => void;
}

/** A connection that is not made yet. Throws where the URL is none of Redis. */
export function redisSocket({ url, connectTimeoutMs, onClose }: RedisSocketOptions): RedisSocket {
  const client = new Bun.RedisClient(url, {
    connectionTimeout: connectTimeoutMs,
    // One client a connection: after a reconnect of its own, the runtime has given answers to the wrong commands (oven-sh/bun#27861).
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

/** Whether the server itself answered with this error, so that the connection is well. */
export function isRedisAnswer(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === 'ERR_REDIS_SERVER_ERROR';
}
