import { postRoutes, stoppingWith, type Answering, type ServiceAtPort } from './http-server.ts';
import { serverOptions, type PortOptions } from './listener.ts';
import { answerInTurn, transferRuntime } from './peer.ts';
import { SharedPortCount } from './request-count.ts';
import { socketServer, type SocketEndpoint, type SocketServer } from './socket-server.ts';
import type { TransferRuntime } from './transfers.ts';

export interface SharedPortOptions<State> extends PortOptions {
  readonly services: readonly ServiceAtPort[];
  /** The endpoint that answers the requests that `choose` gives to the sockets, if it gives them any. */
  readonly sockets: SocketEndpoint<State> | undefined;
  /** Whose request it is: that of one of the services, or of the sockets. */
  readonly choose: (request: Request) => ServiceAtPort | 'sockets';
}

/** Listens for the requests of several services, and for WebSockets. Throws the system's error if it cannot. */
export function serveSharedPort<State>(options: SharedPortOptions<State>): SocketServer {
  const { services, sockets, choose } = options;
  const idleTimeout = Math.max(...services.map(({ service }) => service.bounds.unreadSeconds));
  const runtime = transferRuntime(() => server);
  const answering = new Map(
    services.map((each) => [each, answeringFor(each, { runtime, idleTimeout })]),
  );
  const handles = new Map(Array.from(answering, ([each, make]) => [each, make(each.handle)]));
  const posts = Array.from(answering, ([each, make]) => postRoutes(each, make));
  const server: Bun.Server<State> = Bun.serve<State, string>({
    ...serverOptions(options),
    idleTimeout,
    fetch(request, bun) {
      const chosen = choose(request);
      return chosen === 'sockets'
        ? sockets?.answer(request, bun)
        : handles.get(chosen)?.(request, bun);
    },
    routes: Object.assign({}, ...posts),
    ...(sockets === undefined ? {} : { websocket: sockets.handlers }),
  });
  return stoppingWith(
    services.map(({ service }) => service),
    socketServer(server),
  );
}

/** Makes the runtime's handlers of one of the services. */
function answeringFor(
  { service }: ServiceAtPort,
  { runtime, idleTimeout }: { readonly runtime: TransferRuntime; readonly idleTimeout: number },
): Answering {
  const { mostRequests, unreadSeconds, silenceSeconds, onCrowd } = service.bounds;
  const isStricter = unreadSeconds < idleTimeout;
  const count =
    mostRequests === Infinity
      ? undefined
      : new SharedPortCount((request) => runtime.isRunning(request));
  if (count !== undefined) service.addPort(count);
  return (handle, row) => (request, bun) => {
    // The port's own time is that of the service that allows the longest pauses.
    if (isStricter) bun.timeout(request, silenceSeconds);
    count?.add(request);
    if (count !== undefined && service.isFull) {
      count.delete(request);
      return onCrowd();
    }
    return answerInTurn(handle, request, { bun, service, runtime, row });
  };
}
