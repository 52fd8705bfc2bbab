import { connect, createServer, type Socket } from 'node:net';

/** The traffic that a relay lets through. */
type Rule =
  | { readonly lets: 'everything' }
  | { readonly lets: 'so many bytes'; readonly bytes: number; readonly after: 'cut' | 'hold' };

/** A relay to a server, with which a test can disturb the connections. */
export interface Relay extends AsyncDisposable {
  readonly port: number;
  /** The first lines of the requests, if they were at the beginning of a received piece. */
  readonly requests: readonly string[];
  /** The number of open connections. */
  readonly openConnections: number;
  /** True if anything was cut or held since the relay was limited. */
  readonly wasLimited: boolean;
  /** Passes everything on again. */
  restore(): void;
  /** Passes this many more bytes on to the server, and then cuts the connections or holds the rest. */
  limitRequests(bytes: number, after: 'cut' | 'hold'): void;
  /** Limits the bytes that the server sends in the same way. */
  limitAnswers(bytes: number, after: 'cut' | 'hold'): void;
}

const EVERYTHING: Rule = { lets: 'everything' };

/** Listens on a free port and passes everything on to `target`, a port of 127.0.0.1. */
export async function startRelay(target: number): Promise<Relay> {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  let wasLimited = false;
  const rules = { requests: EVERYTHING as Rule, answers: EVERYTHING as Rule };
  const forward = (pair: { from: Socket; to: Socket }, direction: keyof typeof rules) => {
    const { from, to } = pair;
    from.on('data', (data: Buffer) => {
      const rule = rules[direction];
      if (direction === 'requests') noteRequest(requests, data);
      const part = rule.lets === 'everything' ? data : data.subarray(0, rule.bytes);
      if (rule.lets !== 'everything')
        rules[direction] = { ...rule, bytes: rule.bytes - part.length };
      if (part.length > 0 && !to.write(part)) {
        from.pause();
        to.once('drain', () => from.resume());
      }
      if (part.length === data.length || rule.lets === 'everything') return;
      wasLimited = true;
      if (rule.after === 'hold') from.pause();
      else for (const socket of [from, to]) socket.destroy();
    });
    from.on('close', () => to.destroy());
    from.on('error', () => to.destroy());
  };
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    }
    forward({ from: client, to: upstream }, 'requests');
    forward({ from: upstream, to: client }, 'answers');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    requests,
    get openConnections() {
      return sockets.size / 2;
    },
    get wasLimited() {
      return wasLimited;
    },
    restore() {
      rules.requests = EVERYTHING;
      rules.answers = EVERYTHING;
    },
    limitRequests(bytes, after) {
      wasLimited = false;
      rules.requests = { lets: 'so many bytes', bytes, after };
    },
    limitAnswers(bytes, after) {
      wasLimited = false;
      rules.answers = { lets: 'so many bytes', bytes, after };
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function noteRequest(requests: string[], data: Buffer): void {
  const [line = ''] = data.subarray(0, 300).toString('latin1').split('?', 1);
  if (/^(GET|HEAD|PUT|DELETE) \//.test(line)) requests.push(line);
}
