/** What an HTTP door asks of the runtime. */
export interface HttpServerOptions {
  readonly hostname: string;
  readonly port: number;
  /** Seconds of silence on a connection, also within a request, after which the runtime cuts it. */
  readonly idleTimeoutSeconds: number;
  /** Answers a request; `peer` is the address at the other end of the connection. */
  readonly handle: (request: Request, peer: string) => Response | Promise<Response>;
  /** Answers for a fault outside of `handle`, such as a body that could not be opened. */
  readonly onFault: (error: unknown) => Response;
}

/** A listening server. */
export interface Listener {
  readonly port: number;
  /** Takes no new connection and resolves when the running requests are answered. */
  stop(): Promise<void>;
  /** Cuts every connection. */
  terminate(): Promise<void>;
}

/** Listens for HTTP requests. Throws the system's error (EADDRINUSE, EACCES, EADDRNOTAVAIL …) when it cannot. */
export function serveHttp(options: HttpServerOptions): Listener {
  const server = Bun.serve({
    hostname: options.hostname,
    port: options.port,
    idleTimeout: options.idleTimeoutSeconds,
    // The runtime's own refusal of a large body is not in the envelope: bodies are bounded by their readers.
    maxRequestBodySize: Infinity,
    development: false,
    // Outside of development the runtime would share a port that is in use, in silence.
    reusePort: false,
    fetch: (request, bun) => options.handle(request, bun.requestIP(request)?.address ?? ''),
    error: options.onFault,
  });
  return listener(server);
}

/** The part of a running server that its owner needs. */
export function listener(server: {
  readonly port: number | undefined;
  stop(closeActiveConnections?: boolean): Promise<void>;
}): Listener {
  return {
    port: server.port ?? 0,
    stop: () => server.stop(),
    terminate: () => server.stop(true),
  };
}
