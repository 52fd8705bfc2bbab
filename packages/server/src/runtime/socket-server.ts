import { listener, serverOptions, type Listener, type PortOptions } from './listener.ts';
import type { BunRequests } from './peer.ts';

/** A connected WebSocket with the service's own state. */
export interface Socket<State> {
  readonly data: State;
  send(text: string): unknown;
  /** Sends a close frame after what is buffered. The close event follows at once, and nothing more is received. */
  close(code: number, reason: string): void;
  /** Cuts the connection without a close frame. */
  terminate(): void;
  subscribe(topic: string): unknown;
  unsubscribe(topic: string): unknown;
  /** Sends what `run` sends with as few system calls as possible. */
  cork(run: () => void): unknown;
  /** Bytes that the peer has not yet taken. */
  getBufferedAmount(): number;
}

export interface SocketServiceOptions<State> {
  /** Larger payloads end the connection with 1009. */
  readonly maxPayloadBytes: number;
  /** Above this, the runtime silently drops payloads for that socket. */
  readonly dropAboveBytes: number;
  /** Decides on a client: returns the state of the socket to accept, or the answer to a client that is refused. */
  readonly admit: (request: Request, peer: string) => Promise<State | Response>;
  /** Answers a request that is not a WebSocket. */
  readonly refuse: (request: Request) => Promise<Response>;
  readonly onOpen: (socket: Socket<State>) => void;
  readonly onMessage: (socket: Socket<State>, payload: string | Uint8Array) => void;
  /** Called with a ping, which the runtime answers, or a pong. */
  readonly onControlFrame: (socket: Socket<State>) => void;
  readonly onDrain: (socket: Socket<State>) => void;
  readonly onClose: (socket: Socket<State>) => void;
  /** Answers if deciding on a request failed. */
  readonly onRequestFault: (error: unknown) => Response;
  /** Called with what the other functions threw; otherwise it would end the process. */
  readonly onSocketFault: (error: unknown, socket: Socket<State>) => void;
}

export interface SocketServer extends Listener {
  /** Sends `text` to every socket that subscribed to `topic`. */
  publish(topic: string, text: string): void;
  /** Returns whether any socket has subscribed to `topic`. */
  hasSubscribers(topic: string): boolean;
}

/** Functions that answer the requests for WebSockets on any port, and hear what happens on these sockets. */
export interface SocketEndpoint<State> {
  /** Returns nothing if the request has become a socket. */
  readonly answer: (
    request: Request,
    bun: BunRequests & Pick<Bun.Server<State>, 'upgrade'>,
  ) => Promise<Response | undefined>;
  readonly handlers: Bun.WebSocketHandler<State>;
  /** Answers if deciding on a request failed. */
  readonly onFault: (error: unknown) => Response;
}

export function socketEndpoint<State>(options: SocketServiceOptions<State>): SocketEndpoint<State> {
  return {
    async answer(request, bun) {
      try {
        if (!isUpgrade(request)) return await options.refuse(request);
        const admitted = await options.admit(request, bun.requestIP(request)?.address ?? '');
        if (admitted instanceof Response) return admitted;
        return upgrade(bun, request, admitted) ? undefined : await options.refuse(request);
      } catch (error) {
        return options.onRequestFault(error);
      }
    },
    handlers: socketHandlers(options),
    onFault: options.onRequestFault,
  };
}

/** Listens for WebSockets on any path. Throws the system's error if it cannot. */
export function serveSockets<State>(
  place: Pick<PortOptions, 'hostname' | 'port'>,
  { answer, handlers, onFault }: SocketEndpoint<State>,
): SocketServer {
  return socketServer(
    Bun.serve<State>({
      ...serverOptions({ ...place, onFault }),
      fetch: (request, bun) => answer(request, bun),
      websocket: handlers,
    }),
  );
}

/** A server whose sockets can be published to. */
export function socketServer<State>(server: Bun.Server<State>): SocketServer {
  return {
    ...listener(server),
    publish(topic, text) {
      server.publish(topic, text);
    },
    hasSubscribers: (topic) => server.subscriberCount(topic) > 0,
  };
}

function socketHandlers<State>(options: SocketServiceOptions<State>): Bun.WebSocketHandler<State> {
  const guarded = (socket: Socket<State>, run: () => void) => {
    try {
      run();
    } catch (error) {
      options.onSocketFault(error, socket);
    }
  };
  return {
    // The service keeps time itself: the runtime's pings and idle timeout are switched off.
    sendPings: false,
    idleTimeout: 0,
    perMessageDeflate: false,
    maxPayloadLength: options.maxPayloadBytes,
    backpressureLimit: options.dropAboveBytes,
    closeOnBackpressureLimit: false,
    open: (socket) => guarded(socket, () => options.onOpen(socket)),
    message: (socket, payload) => guarded(socket, () => options.onMessage(socket, payload)),
    ping: (socket) => guarded(socket, () => options.onControlFrame(socket)),
    pong: (socket) => guarded(socket, () => options.onControlFrame(socket)),
    drain: (socket) => guarded(socket, () => options.onDrain(socket)),
    close: (socket) => guarded(socket, () => options.onClose(socket)),
  };
}

// Guarantee: the runtime takes any value as data; its types cannot express the type parameter.
function upgrade<State>(
  bun: Pick<Bun.Server<State>, 'upgrade'>,
  request: Request,
  data: State,
): boolean {
  const accept = bun.upgrade.bind(bun) as (request: Request, options: { data: State }) => boolean;
  return accept(request, { data });
}

function isUpgrade({ headers }: Request): boolean {
  return (
    headers.get('upgrade')?.toLowerCase() === 'websocket' &&
    headers.get('sec-websocket-version') === '13' &&
    headers.has('sec-websocket-key')
  );
}
