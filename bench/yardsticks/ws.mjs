import { createServer } from 'node:http';
import { WebSocketServer } from 'ws';

// What most chat gateways use: Node with the ws package, which sends to each socket in turn.

const EVENT = JSON.stringify({
  op: 'MESSAGE_CREATE',
  d: {
    author: 'bench',
    content: 'The quick brown fox jumps over the lazy dog, and then it does so once again.',
  },
});

const server = createServer((request, response) => {
  request.resume();
  for (const client of gateway.clients) client.send(EVENT);
  response.setHeader('Content-Length', 2);
  response.end('{}');
});
server.keepAliveTimeout = 0;
const gateway = new WebSocketServer({ server, perMessageDeflate: false });
gateway.on('connection', (socket) => {
  socket.on('message', () => socket.send('{"op":"PONG"}'));
});
server.listen({ host: '127.0.0.1', port: 0, backlog: 4096 }, () => {
  process.stdout.write(`${server.address().port}\n`);
});
