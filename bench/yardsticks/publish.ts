import { MESSAGE_EVENT } from '../load/message.ts';

// The least possible cost of fan-out in this runtime: a POST publishes a prepared text through the runtime's own
// publish/subscribe. An argument replaces that text.

const EVENT = process.argv[2] ?? MESSAGE_EVENT;
const PONG = '{"op":"PONG"}';
const TOPIC = 'everyone';

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  development: false,
  idleTimeout: 255,
  fetch(request, bun) {
    if (request.method === 'POST') {
      bun.publish(TOPIC, EVENT);
      return new Response('{}');
    }
    return bun.upgrade(request) ? undefined : new Response('', { status: 400 });
  },
  websocket: {
    idleTimeout: 0,
    sendPings: false,
    open(socket) {
      socket.subscribe(TOPIC);
    },
    message(socket) {
      socket.send(PONG);
    },
  },
});
process.stdout.write(`${server.port}\n`);
