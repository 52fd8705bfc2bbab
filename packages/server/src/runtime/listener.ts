/** The address and port at which a server listens. */
export interface PortOptions {
  readonly hostname: string;
  readonly port: number;
  /** Answers for a fault outside of the handlers, such as a body that could not be opened. */
  readonly onFault: (error: unknown) => Response;
}

export interface Listener {
  /** Cuts the connections that wait between two requests, and returns how many there were. */
  cutIdle(): number;
  /** Takes no new connection and resolves when the running requests are answered and the sockets are closed. */
  stop(): Promise<void>;
  /** Cuts every connection. */
  terminate(): Promise<void>;
}

/** The runtime options of every server. */
export function serverOptions({ hostname, port, onFault }: PortOptions) {
  return {
    // The runtime's own refusal of a large body is not in the envelope: the readers of bodies bound them.
    maxRequestBodySize: Infinity,
    development: false,
    // Outside of development the runtime would silently share a port that is in use.
    reusePort: false,
    hostname,
    port,
    error: onFault,
  } as const;
}

/** The part of a running server that its owner needs. */
export function listener(server: {
  closeIdleConnections(): number;
  stop(closeActiveConnections?: boolean): Promise<void>;
}): Listener {
  return {
    cutIdle: () => server.closeIdleConnections(),
    stop: () => server.stop(),
    terminate: () => server.stop(true),
  };
}
