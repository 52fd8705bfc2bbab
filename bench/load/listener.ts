const HEAD_END = Buffer.from('\r\n\r\n');
const SWITCHING = 'HTTP/1.1 101 ';
const HANDSHAKE = [
  'GET / HTTP/1.1',
  'Host: 127.0.0.1',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
];
const HANDSHAKE_BYTES = Buffer.from(`${HANDSHAKE.join('\r\n')}\r\n\r\n`);

const PING = Buffer.from('{"op":"PING"}');

/** A PING as a client's frame, masked with zeros. */
const PING_FRAME = Buffer.from([0x81, 0x80 | PING.byteLength, 0, 0, 0, 0, ...PING]);

/** The frame of the answer, `{"op":"PONG"}`. */
export const PONG_FRAME_BYTES = 15;

/** A WebSocket that only counts the bytes it is sent, so that thousands of them cost less than what is measured. */
export interface Listener {
  /** Frames so far that were received whole. */
  frames: number;
  /** Bytes so far of the frame that is coming in. */
  partBytes: number;
  /** Whether a frame was compared with what is to come. */
  isCompared: boolean;
  /** Whether the gateway has let it in. */
  isOpen: boolean;
  /** Whether the connection was given up by this side. */
  isDone: boolean;
}

/** A listener's connection. */
export type ListenerSocket = Bun.Socket<Listener>;

/** What listeners tell. */
export interface ListenerEvents {
  /** Bytes of frames came. */
  readonly frames: (listener: Listener, chunk: Buffer) => void;
  /** One was not let in, or was cut. */
  readonly fault: (error: Error) => void;
}

/** Connects a listener to a gateway of 127.0.0.1; resolves when it is let in, and rejects when it is not. */
export async function openListener(port: number, on: ListenerEvents): Promise<ListenerSocket> {
  const opened = Promise.withResolvers<void>();
  const socket = await Bun.connect<Listener>({
    hostname: '127.0.0.1',
    port,
    data: { frames: 0, partBytes: 0, isCompared: false, isOpen: false, isDone: false },
    socket: {
      data({ data: listener }, chunk) {
        if (listener.isOpen) return on.frames(listener, chunk);
        const end = chunk.indexOf(HEAD_END);
        if (end === -1 || !chunk.toString('latin1', 0, end).startsWith(SWITCHING)) {
          return opened.reject(new Error(`not let in: ${chunk.toString()}`));
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
  socket.write(HANDSHAKE_BYTES);
  await opened.promise;
  return socket;
}

/** Tells the gateway that the listener is alive; it answers with {@link PONG_FRAME_BYTES}. */
export function sendPing(socket: ListenerSocket): void {
  socket.write(PING_FRAME);
}

/** Gives a listener up. */
export function closeListener(socket: ListenerSocket): void {
  socket.data.isDone = true;
  socket.terminate();
}
