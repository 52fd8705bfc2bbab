import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { GatewayClient } from '@hearth/testing/clients/gateway-client';
import { eventOf, postMessage } from '@hearth/testing/clients/post-message';
import { RawConnection, rawRequest, requestLines } from '@hearth/testing/clients/raw-http';
import { handshake, RawSocket } from '@hearth/testing/clients/raw-socket';
import { readError } from '@hearth/testing/clients/read-error';
import { startTestInstance, type TestInstance } from '@hearth/testing/instances/test-instance';
import { clientFrame, OPCODES } from '@hearth/testing/clients/web-socket-frames';

const PING = '{"op":"PING"}';
const PONG = '{"op":"PONG"}';

let instance: TestInstance;
let url: string;
let httpUrl: string;

beforeAll(async () => {
  instance = await startTestInstance();
  url = instance.addresses.gateway;
  httpUrl = url.replace('ws:', 'http:');
});

afterAll(() => instance[Symbol.asyncDispose]());

describe('payloads', () => {
  test('[GW2] a PING is answered with exactly {"op":"PONG"}, in one unmasked text frame', async () => {
    using socket = await RawSocket.connect(url);
    socket.sendText(PING);
    await socket.until(() => socket.frames.length > 0);
    expect(socket.frames.map(({ bytes }) => bytes.toString('latin1'))).toEqual([`\x81\x0d${PONG}`]);
  });

  test.each([
    '{"op":"PING","d":{"sent":1700000000000}}',
    '{"d":null,"op":"PING"}',
    '{"op":"PING","op2":"PONG","id":"7"}',
    '\t{ "op" : "PING" }\n',
    '{"op":"\\u0050\\u0049NG"}',
  ])('[GW2] the PING %p is answered like any other', async (ping) => {
    using socket = await RawSocket.connect(url);
    socket.sendText(ping);
    await socket.until(() => socket.frames.length > 0);
    expect(socket.texts).toEqual([PONG]);
  });

  test('[GW2] each of many PINGs that arrive at once is answered', async () => {
    using socket = await RawSocket.connect(url);
    socket.write(
      Buffer.concat(Array.from({ length: 1_000 }, () => clientFrame(OPCODES.text, PING))),
    );
    await socket.until(() => socket.frames.length >= 1_000);
    await postMessage(instance, 'after them');
    await socket.until(() => socket.frames.length > 1_000);
    expect(socket.texts).toEqual([
      ...Array.from({ length: 1_000 }, () => PONG),
      eventOf('after them'),
    ]);
  });

  test('[GW2] a PING in fragments, with a ping of the WebSocket protocol between them, is answered', async () => {
    using socket = await RawSocket.connect(url);
    socket.send(OPCODES.text, '{"op":', { isFinal: false });
    socket.send(OPCODES.ping, 'now?');
    socket.send(OPCODES.continuation, '"PI', { isFinal: false });
    socket.send(OPCODES.continuation, 'NG"}');
    await socket.until(() => socket.frames.length === 2);
    expect(socket.frames.map(({ opcode, payload }) => [opcode, payload.toString()])).toEqual([
      [OPCODES.pong, 'now?'],
      [OPCODES.text, PONG],
    ]);
  });

  test('[GW2] a PING that comes byte by byte is answered', async () => {
    using socket = await RawSocket.connect(url);
    for (const byte of clientFrame(OPCODES.text, PING)) socket.write(Buffer.from([byte]));
    await socket.until(() => socket.frames.length > 0);
    expect(socket.texts).toEqual([PONG]);
  });

  test('[GW1][GW3] a message is sent to all clients, including its sender, with author and content only', async () => {
    const clients = await Promise.all([1, 2, 3].map(() => GatewayClient.connect(url)));
    const answer = await fetch(`${instance.addresses.rest}/messages`, {
      method: 'POST',
      body: '{"id":1,"content":"“h€llo” 😀\\n","author":"me","op":"PING","d":{}}',
    });
    expect(await answer.json()).toEqual({ author: 'me', content: '“h€llo” 😀\n' });
    for (const client of clients) {
      await client.until(() => client.received.length > 0);
      expect(client.received).toEqual([
        '{"op":"MESSAGE_CREATE","d":{"author":"me","content":"“h€llo” 😀\\n"}}',
      ]);
      client.close();
    }
  });

  test('[GW1] an event is one text frame of UTF-8, and a payload without data has no d', async () => {
    using socket = await RawSocket.connect(url);
    socket.sendText(PING);
    await socket.until(() => socket.frames.length > 0);
    await postMessage(instance, 'größer');
    await socket.until(() => socket.frames.length > 1);
    expect(socket.frames.map(({ opcode, flags }) => [opcode, flags])).toEqual([
      [OPCODES.text, 0x80],
      [OPCODES.text, 0x80],
    ]);
    expect(socket.texts).toEqual([PONG, eventOf('größer')]);
  });

  test('[GW4] a client that sends nothing gets no greeting, but gets messages', async () => {
    using socket = await RawSocket.connect(url);
    await postMessage(instance, 'unasked');
    await socket.until(() => socket.frames.length > 0);
    expect(socket.texts).toEqual([eventOf('unasked')]);
    expect(socket.frames).toHaveLength(1);
  });

  test.each([
    ['an unknown opcode', '{"op":"HELLO","d":{}}'],
    ['an opcode of the gateway', '{"op":"MESSAGE_CREATE","d":{"author":"me","content":"forged"}}'],
    ['an opcode in small letters', '{"op":"ping"}'],
    ['an opcode that is not text', '{"op":1}'],
    ['no opcode', '{"d":"PING"}'],
    ['an array', '["PING"]'],
    ['null', 'null'],
    ['a text', '"PING"'],
    ['half a payload', '{"op":"PING"'],
    ['no JSON', 'PING'],
    ['nothing', ''],
    ['brackets without end', '['.repeat(60_000)],
  ])('[GW4][GW5] %s is ignored', async (_, payload) => {
    using socket = await RawSocket.connect(url);
    socket.sendText(payload);
    socket.sendText(PING);
    await socket.until(() => socket.frames.length > 0);
    expect(socket.frames).toHaveLength(1);
    expect(socket.texts).toEqual([PONG]);
  });

  test('[GW4][GW5] binary frames are ignored, whatever is in them', async () => {
    using socket = await RawSocket.connect(url);
    for (const payload of [PING, '', '\xff\xfe', 'x'.repeat(60_000)]) {
      socket.send(OPCODES.binary, Buffer.from(payload, 'latin1'));
    }
    socket.sendText('{"op":"PING"}');
    await socket.until(() => socket.frames.length > 0);
    expect(socket.frames.map(({ bytes }) => bytes.toString('latin1'))).toEqual([`\x81\x0d${PONG}`]);
  });
});

describe('connecting', () => {
  test.each(['/', '/any/path', '/?v=1&encoding=json', '//', '/%2e%2e/%zz', '/a/../b', '/messages'])(
    '[GW6] a WebSocket is accepted at %p',
    async (target) => {
      using socket = await RawSocket.connect(url, { target });
      expect(socket.head).toStartWith('HTTP/1.1 101 ');
      expect(socket.head).toContain('Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=');
      socket.sendText(PING);
      await socket.until(() => socket.texts.includes(PONG));
    },
  );

  test.each([
    [],
    ['Origin: https://chat.example.org'],
    ['Origin: null'],
    ['Origin: http://127.0.0.1:7159', 'Cookie: a=b', 'User-Agent: x', 'Authorization: Bearer x'],
  ])('[GW6] a WebSocket is accepted with the headers %p', async (...headers: string[]) => {
    using socket = await RawSocket.connect(url, { headers });
    expect(socket.head).toStartWith('HTTP/1.1 101 ');
    expect(socket.head.toLowerCase()).not.toContain('sec-websocket-protocol');
  });

  test.each([
    [['Sec-WebSocket-Protocol: json'], 'json'],
    [['Sec-WebSocket-Protocol: v2.json, v1.json,etf'], 'v2.json'],
    [['Sec-WebSocket-Protocol: one', 'Sec-WebSocket-Protocol: two'], 'one'],
  ])('[GW6] the first subprotocol that %p offers is accepted', async (headers, accepted) => {
    using socket = await RawSocket.connect(url, { headers });
    const answers = socket.head
      .split('\r\n')
      .filter((line) => /^sec-websocket-protocol:/i.test(line));
    expect(answers).toEqual([`Sec-WebSocket-Protocol: ${accepted}`]);
  });

  test('[GW6] a WebSocket client that offers subprotocols is accepted', async () => {
    const client = await GatewayClient.connect(`${url}/gateway?x=y`, ['hearth', 'other']);
    expect(client.protocol).toBe('hearth');
    await client.ping();
    client.close();
  });

  test('[GW6] what a client sends together with its handshake is read', async () => {
    using socket = await RawSocket.connect(url, {
      afterHandshake: clientFrame(OPCODES.text, PING),
    });
    await socket.until(() => socket.frames.length > 0);
    expect(socket.texts).toEqual([PONG]);
  });

  test.each([
    'permessage-deflate',
    'permessage-deflate; client_max_window_bits',
    'permessage-deflate; server_no_context_takeover, x-webkit-deflate-frame',
  ])('[GW7] the offer %p is declined, and nothing is compressed', async (offer) => {
    using socket = await RawSocket.connect(url, {
      headers: [`Sec-WebSocket-Extensions: ${offer}`],
    });
    expect(socket.head).toStartWith('HTTP/1.1 101 ');
    expect(socket.head.toLowerCase()).not.toContain('sec-websocket-extensions');
    await postMessage(instance, 'x'.repeat(2_000));
    await socket.until(() => socket.frames.length > 0);
    expect(socket.frames[0]?.flags).toBe(0x80);
    expect(socket.texts).toEqual([eventOf('x'.repeat(2_000))]);
  });

  test.each(['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS'])(
    '[GW8] a plain %s is answered with 426 in the envelope',
    async (method) => {
      const answer = await fetch(`${httpUrl}/any/path?x=y`, {
        method,
        headers: { Origin: 'https://example.org' },
      });
      expect(answer.status).toBe(426);
      expect(answer.headers.get('upgrade')).toBe('websocket');
      expect(await readError(answer)).toEqual({ status: 426, message: expect.any(String) });
    },
  );

  test('[GW8] a plain HEAD is answered with 426', async () => {
    const answer = await fetch(httpUrl, { method: 'HEAD' });
    expect([answer.status, await answer.text()]).toEqual([426, '']);
  });

  test('[GW8] a plain request with a body larger than the runtime accepts by default is answered with 426', async () => {
    const answer = await fetch(httpUrl, { method: 'POST', body: new Uint8Array(130 * 1024 ** 2) });
    expect(answer.status).toBe(426);
    await readError(answer);
  });

  test('[GW8] a plain request is answered even if its sender does not read before it has written everything', async () => {
    using connection = await RawConnection.connect(httpUrl);
    const head = requestLines('POST', '/', 'Content-Length: 20000000');
    await connection.send(Buffer.concat([Buffer.from(head), Buffer.alloc(20_000_000)]));
    expect((await connection.answer()).status).toBe(426);
  });

  test.each([
    ['without a key', handshake().replace(/Sec-WebSocket-Key.*\r\n/, '')],
    ['with a key that is none', handshake().replace(/(Sec-WebSocket-Key: ).*/, '$1short')],
    ['without a version', handshake().replace(/Sec-WebSocket-Version.*\r\n/, '')],
    ['of an old version', handshake().replace('Version: 13', 'Version: 8')],
    ['with another method', handshake().replace('GET', 'POST')],
    ['to another protocol', handshake().replace('websocket', 'h2c')],
    [
      'without the intention',
      requestLines('GET', '/', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='),
    ],
  ])('[GW8] a handshake %s is answered with 426 in the envelope', async (_, request) => {
    const answer = await rawRequest(httpUrl, request);
    expect(answer.status).toBe(426);
    expect(answer.headers.get('sec-websocket-version')).toBe('13');
    await readError(answer);
  });
});

describe('order', () => {
  test('[GW17] messages that are posted one after another arrive in that order', async () => {
    const client = await GatewayClient.connect(url);
    const contents = Array.from({ length: 50 }, (_, index) => `message ${index}`);
    for (const content of contents) await postMessage(instance, content);
    await client.until(() => client.received.length === contents.length);
    expect(client.received).toEqual(contents.map((content) => eventOf(content)));
    client.close();
  });

  test('[GW3][GW17] every client receives all of many messages posted at once, in the same order', async () => {
    const clients = await Promise.all(Array.from({ length: 20 }, () => GatewayClient.connect(url)));
    const contents = Array.from({ length: 600 }, (_, index) => `${index} ${'x'.repeat(index * 3)}`);
    await Promise.all(
      contents.map((content, index) => postMessage(instance, content, `author ${index % 7}`)),
    );
    const [first] = clients;
    for (const client of clients) {
      await client.until(() => client.received.length === contents.length);
      expect(client.received).toEqual(first?.received ?? []);
      client.close();
    }
    expect(first?.received.toSorted()).toEqual(
      contents.map((content, index) => eventOf(content, `author ${index % 7}`)).toSorted(),
    );
  });
});
