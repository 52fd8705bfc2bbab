import { MESSAGE_EVENT, profileEvent } from '../load/message.ts';

// The least possible cost of a resumption in this runtime: a POST keeps and publishes the text for clients of profile 1,
// and a client that comes back is sent all missing texts at once. Nothing is checked, limited or paused.

interface Client {
  /** The position of its last event; undefined for a new client, and null for a documented client. */
  readonly position: number | undefined | null;
}

const EPOCH = 'bench';
const PONG = '{"op":"PONG"}';
const TOPICS = { documented: 'documented', profile: 'profile' };

/** The first event has position 1. */
const texts: string[] = [];

const server = Bun.serve<Client>({
  hostname: '127.0.0.1',
  port: 0,
  development: false,
  idleTimeout: 255,
  fetch(request, bun) {
    if (request.method === 'POST') {
      const text = profileEvent(texts.length + 1);
      texts.push(text);
      bun.publish(TOPICS.documented, MESSAGE_EVENT);
      bun.publish(TOPICS.profile, text);
      return new Response('{}');
    }
    const data = { position: positionOf(new URL(request.url).searchParams) };
    return bun.upgrade(request, { data }) ? undefined : new Response('', { status: 400 });
  },
  websocket: {
    idleTimeout: 0,
    sendPings: false,
    open(socket) {
      const { position } = socket.data;
      if (position === null) return void socket.subscribe(TOPICS.documented);
      const from = position ?? texts.length;
      socket.cork(() => {
        socket.send(hello(from, position === undefined ? null : true));
        for (const text of texts.slice(from)) socket.send(text);
      });
      socket.subscribe(TOPICS.profile);
    },
    message(socket) {
      socket.send(PONG);
    },
  },
});
process.stdout.write(`${server.port}\n`);

function positionOf(parameters: URLSearchParams): Client['position'] {
  if (!parameters.has('v')) return null;
  const position = parameters.get('s');
  return position === null ? undefined : Number(position);
}

function hello(s: number, recovered: boolean | null): string {
  const d = { v: 1, heartbeat_interval: 15_000, epoch: EPOCH, s, recovered };
  return JSON.stringify({ op: 'HELLO', d });
}
