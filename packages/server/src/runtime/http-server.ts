import { AnswerRow } from './answer-row.ts';
import { listener, serverOptions, type Listener, type PortOptions } from './listener.ts';
import { answerInTurn, transferRuntime, type BunHandle, type Handle } from './peer.ts';
import type { ServedService } from './served-service.ts';

/** Functions that answer the requests of a service at one port. */
export interface ServiceHandlers {
  readonly handle: Handle;
  /** POST of exactly these paths; the runtime finds them at less cost than reading the path here. */
  readonly posts?: Readonly<Record<string, Handle>>;
}

export interface ServiceAtPort extends ServiceHandlers {
  readonly service: ServedService;
}

/**
 * Listens for the requests of one service. Throws the system's error (EADDRINUSE, EACCES, EADDRNOTAVAIL …) if it
 * cannot.
 */
export function serveHttp(options: PortOptions & ServiceAtPort): Listener {
  const { service } = options;
  const { bounds } = service;
  const isBounded = bounds.mostRequests !== Infinity;
  const runtime = transferRuntime(() => server);
  const answering: Answering = (handle, row) => {
    return (request, bun) => {
      if (isBounded && service.isFull) return bounds.onCrowd();
      return answerInTurn(handle, request, { bun, service, runtime, row });
    };
  };
  const server: Bun.Server<unknown> = Bun.serve({
    ...serverOptions(options),
    // The runtime always gives a new connection 10 s for the head of its first request.
    idleTimeout: bounds.unreadSeconds,
    fetch: answering(options.handle),
    routes: postRoutes(options, answering),
  });
  service.addPort({
    get size() {
      return server.pendingRequests;
    },
    forgetEnded() {},
  });
  return stoppingWith([service], listener(server));
}

/** Returns the listener, with a stop that also waits for the handlers of the services. */
export function stoppingWith<Server extends Listener>(
  services: readonly ServedService[],
  server: Server,
): Server {
  return {
    ...server,
    async stop() {
      await server.stop();
      await Promise.all(services.map((service) => service.ended()));
    },
  };
}

/** Makes a handler of the runtime, whose answers `row` sends if it is given. */
export type Answering = (handle: Handle, row?: AnswerRow) => BunHandle;

/** The posts of a service as the runtime finds them, whose answers are sent in a row. */
export function postRoutes(
  { posts = {} }: ServiceHandlers,
  answering: Answering,
): Record<string, { POST: BunHandle }> {
  const row = new AnswerRow();
  return Object.fromEntries(
    Object.entries(posts).map(([path, handle]) => [path, { POST: answering(handle, row) }]),
  );
}
