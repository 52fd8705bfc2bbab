const HEAD_END = Buffer.from('\r\n\r\n');
const SWITCHING = 'HTTP/1.1 101 ';
const HANDSHAKE = [
  'Host: 127.0.0.1',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
];
const HANDSHAKE_TAIL = ` HTTP/1.1\r\n${HANDSHAKE.join('\r\n')}\r\n\r\n`;

/** The path and query of the handshake, by profile: the documented gateway, and profile 1. */
const DOCUMENTED_TARGET = '/';
export const PROFILE_TARGET = '/?v=1';

const PING = Buffer.from('{"op":"PING"}');

/** A PING as a client's frame, masked with zeros. */
const PING_FRAME = Buffer.from([0x81, 0x80 | PING.byteLength, 0, 0, 0, 0, ...PING]);

/** The frame of the answer, `{"op":"PONG"}`. */
export const PONG_FRAME_BYTES = 15;

/** A WebSocket that only counts what it receives, so that thousands of them cost less than the server. */
export interface Listener {
  /** The number of counted events that it has received. */
  events: number;
  /** True once the gateway has accepted it. */
  isOpen: boolean;
  /** True once this side has ended the connection. */
  isDone: boolean;
}

/** A listener's connection. */
export type ListenerSocket = Bun.Socket<Listener>;

/** The events of listeners. */
export interface ListenerEvents {
  /** Bytes of frames arrived. */
  readonly frames: (listener: Listener, chunk: Buffer) => void;
  /** A listener was not accepted, or was cut. */
  readonly fault: (error: Error) => void;
}

/** Connects a listener to `target` of a gateway on 127.0.0.1. Resolves when it is accepted, and rejects if it is not. */
export async function openListener(
  port: number,
  on: ListenerEvents,
  target = DOCUMENTED_TARGET,
): Promise<ListenerSocket> {
  const opened = Promise.withResolvers<void>();
  const socket = await Bun.connect<Listener>({
    hostname: '127.0.0.1',
    port,
    data: { events: 0, isOpen: false, isDone: false },
    socket: {
      data({ data: listener }, chunk) {
        if (listener.isDone) return;
        if (listener.isOpen) return on.frames(listener, chunk);
        const end = chunk.indexOf(HEAD_END);
        if (end === -1 || !chunk.toString('latin1', 0, end).startsWith(SWITCHING)) {
          return opened.reject(
            new Error(`the gateway did not accept a listener: ${chunk.toString()}`),
          );
        }
        listener.isOpen = true;
        opened.resolve();
        const rest = chunk.subarray(end + HEAD_END.length);
        if (rest.byteLength > 0) on.frames(listener, rest);
      },
      close({ data: listener }) {
        if (listener.isDone) return;
        const error = new Error('the gateway cut a listener');
        opened.reject(error);
        on.fault(error);
      },
    },
  });
  socket.write(`GET ${target}${HANDSHAKE_TAIL}`);
  await opened.promise;
  return socket;
}

/** Sends a PING, so that the gateway knows that the listener is alive. It answers with {@link PONG_FRAME_BYTES}. */
export function sendPing(socket: ListenerSocket): void {
  socket.write(PING_FRAME);
}

/** Ends a listener's connection. */
export function closeListener(socket: ListenerSocket): void {
  socket.data.isDone = true;
  socket.terminate();
}
