import { listener, type Listener } from './http-server.ts';

/** A connected WebSocket with the door's own state. */
export interface Socket<State> {
  readonly data: State;
  send(text: string): unknown;
  /** Sends a close frame behind what is buffered; the close event follows at once and nothing more is received. */
  close(code: number, reason: string): void;
  /** Cuts the connection without a close frame. */
  terminate(): void;
  subscribe(topic: string): unknown;
  unsubscribe(topic: string): unknown;
  /** Bytes that the peer has not taken yet. */
  getBufferedAmount(): number;
}

/** What a WebSocket door asks of the runtime. */
export interface SocketServerOptions<State> {
  readonly hostname: string;
  readonly port: number;
  /** Payloads above it end the connection with 1009. */
  readonly maxPayloadBytes: number;
  /** Above it the runtime drops payloads for that socket, silently. */
  readonly dropAboveBytes: number;
  /** Decides on a request: the state of the socket to accept, or the answer to one that is no WebSocket. */
  readonly admit: (request: Request, peer: string) => Promise<State>;
  readonly refuse: (request: Request) => Response;
  readonly onOpen: (socket: Socket<State>) => void;
  readonly onMessage: (socket: Socket<State>, payload: string | Uint8Array) => void;
  readonly onDrain: (socket: Socket<State>) => void;
  readonly onClose: (socket: Socket<State>) => void;
  readonly onFault: (error: unknown) => Response;
}

/** A listening WebSocket server. */
export interface SocketServer extends Listener {
  /** Sends `text` to every socket that subscribed to `topic`. */
  publish(topic: string, text: string): void;
}

/** Listens for WebSockets on any path. Throws the system's error when it cannot. */
export function serveSockets<State>(options: SocketServerOptions<State>): SocketServer {
  const server = Bun.serve<State>({
    hostname: options.hostname,
    port: options.port,
    development: false,
    async fetch(request, bun) {
      if (!isUpgrade(request)) return options.refuse(request);
      const data = await options.admit(request, bun.requestIP(request)?.address ?? '');
      return upgrade(bun, request, data) ? undefined : options.refuse(request);
    },
    error: options.onFault,
    websocket: {
      // The gateway keeps time itself; the runtime's pings and idle timeout stay out of it.
      sendPings: false,
      idleTimeout: 0,
      perMessageDeflate: false,
      maxPayloadLength: options.maxPayloadBytes,
      backpressureLimit: options.dropAboveBytes,
      closeOnBackpressureLimit: false,
      open: options.onOpen,
      message: options.onMessage,
      drain: options.onDrain,
      close: options.onClose,
    },
  });
  return {
    ...listener(server),
    publish(topic, text) {
      server.publish(topic, text);
    },
  };
}

// Guarantee: the runtime takes any value as data; its types cannot see through the type parameter.
function upgrade<State>(bun: Bun.Server<State>, request: Request, data: State): boolean {
  const accept = bun.upgrade.bind(bun) as (request: Request, options: { data: State }) => boolean;
  return accept(request, { data });
}

function isUpgrade(request: Request): boolean {
  return (
    request.headers.get('upgrade')?.toLowerCase() === 'websocket' &&
    request.headers.has('sec-websocket-key')
  );
}
