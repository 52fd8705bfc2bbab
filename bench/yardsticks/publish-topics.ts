// The least possible cost of fan-out to many groups: a POST to `/channels/<name>/messages` publishes a prepared text, which is the
// argument, through the runtime's own publish/subscribe to those who have authenticated with that name as their token.

const EVENT = process.argv[2] ?? '';
const READY = '{"op":"READY"}';
const PONG = '{"op":"PONG"}';

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  development: false,
  idleTimeout: 255,
  fetch(request, bun) {
    if (request.method === 'POST') {
      const [, , , , name = ''] = request.url.split('/');
      bun.publish(name, EVENT);
      return new Response('{}');
    }
    return bun.upgrade(request) ? undefined : new Response('', { status: 400 });
  },
  websocket: {
    idleTimeout: 0,
    sendPings: false,
    message(socket, text) {
      const [, token] = /"token":"(\w+)"/.exec(String(text)) ?? [];
      if (token === undefined) {
        socket.send(PONG);
        return;
      }
      socket.subscribe(token);
      socket.send(READY);
    },
  },
});
process.stdout.write(`${server.port}\n`);
