import { afterEach, describe, expect, onTestFinished, test } from 'bun:test';
import fc from 'fast-check';
import { openOutbound, type OutboundOptions, type OutboundRequest } from './outbound.ts';
import { isPublicAddress } from './public-address.ts';

const USUAL: OutboundRequest = { mostBytes: 1_000, timeoutMs: 5_000 };

let server: Bun.Server<undefined> | undefined;
afterEach(() => server?.stop(true));

/** A server at which every name of a test may be reached, and an address of it. */
function serve(fetch: (request: Request) => Response | Promise<Response>) {
  server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch });
  const { port } = server;
  return (name: string, path = '/') => `http://${name}:${port}${path}`;
}

/** The address of a server that answers each connection with these bytes, and leaves it open. */
async function serveBytes(text: string): Promise<string> {
  const socket = { data: (to: Bun.Socket) => void to.write(text) };
  const listener = Bun.listen({ hostname: '127.0.0.1', port: 0, socket });
  onTestFinished(() => listener.stop(true));
  return `http://good.test:${listener.port}/`;
}

/** An outbound client to which public names lead to this machine, and private ones to a private address. */
const outbound = (options: Partial<OutboundOptions> = {}) =>
  openOutbound({
    resolve: async (name) => [name === 'inside.test' ? '192.168.1.7' : '127.0.0.1'],
    mayReach: (address) => address === '127.0.0.1',
    ...options,
  });

const failure = (asked: Promise<unknown>) =>
  asked.then(
    () => 'none',
    (error: { readonly reason?: unknown }) => error.reason,
  );

describe('[OC1] an address', () => {
  test('an address of this machine is refused however it is written', async () => {
    const request = openOutbound({ resolve: async () => [] });
    for (const host of ['127.1', '0x7f.1', '2130706433', '[::1]', '[::ffff:127.0.0.1]', '0']) {
      expect(await failure(request(`http://${host}:1/`, USUAL))).toBe('refused');
    }
  });

  test.each(['ftp://example.org/', 'file:///etc/passwd', 'http://a:b@example.org/', 'example', ''])(
    'such as %p is refused',
    async (url) => {
      expect(await failure(outbound()(url, USUAL))).toBe('refused');
    },
  );

  test('any text as an address is answered with a failure that has a reason', async () => {
    const nowhere = outbound({ resolve: async () => [] });
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.webUrl()), async (url) => {
        expect(await failure(nowhere(url, USUAL))).toBeOneOf(['refused', 'unreachable']);
      }),
    );
  });
});

describe('[OC2] a name', () => {
  test('a name is resolved once, and the server receives the name', async () => {
    const at = serve((request) => new Response(request.headers.get('host')));
    let count = 0;
    const request = outbound({
      resolve: async () => [(count += 1) === 1 ? '127.0.0.1' : '10.0.0.1'],
    });
    const { status, body } = await request(at('good.test'), USUAL);
    expect([status, new TextDecoder().decode(body), count]).toEqual([
      200,
      `good.test:${server?.port}`,
      1,
    ]);
  });

  test('a name is refused if any of its addresses is not public', async () => {
    const at = serve(() => new Response('secret'));
    const request = outbound({ resolve: async () => ['127.0.0.1', '10.0.0.1'] });
    expect(await failure(request(at('both.test'), USUAL))).toBe('refused');
    expect(await failure(outbound()(at('inside.test'), USUAL))).toBe('refused');
  });

  test('that nobody resolves in time fails in time', async () => {
    const request = outbound({ resolve: () => new Promise(() => {}) });
    expect(await failure(request('http://slow.test/', { ...USUAL, timeoutMs: 20 }))).toBe(
      'timeout',
    );
  });
});

describe('[OC3] a redirect', () => {
  test('a redirect is checked like the first address, and takes no headers to another host', async () => {
    const at = serve(async (request) => {
      const { pathname, host } = new URL(request.url);
      if (pathname === '/inside') return Response.redirect(at('inside.test'));
      if (pathname === '/away') return Response.redirect(at('other.test', '/here'));
      return new Response(`${host} ${request.headers.get('x-secret')}`);
    });
    const asked = { ...USUAL, mostRedirects: 2, headers: { 'X-Secret': 's' } };
    expect(await failure(outbound()(at('good.test', '/inside'), asked))).toBe('refused');
    const { url, body } = await outbound()(at('good.test', '/away'), asked);
    expect(url.hostname).toBe('other.test');
    expect(new TextDecoder().decode(body)).toBe(`other.test:${server?.port} null`);
    const unfollowed = await outbound()(at('good.test', '/away'), USUAL);
    expect(unfollowed.status).toBe(302);
  });

  test('a redirect takes the public headers to every host', async () => {
    const at = serve((request) =>
      new URL(request.url).pathname === '/away'
        ? Response.redirect(at('other.test'))
        : new Response(request.headers.get('user-agent')),
    );
    const asked = { ...USUAL, mostRedirects: 1, publicHeaders: { 'User-Agent': 'Hearth' } };
    const { body } = await outbound()(at('good.test', '/away'), asked);
    expect(new TextDecoder().decode(body)).toBe('Hearth');
  });

  test.each(['[::7f00:1]', '[::a9fe:a9fe]', '[100:0:0:1::1]', '[fd00::1]', '10.0.0.1'])(
    '[OC7] to %s, which is not public, is refused and not requested',
    async (host) => {
      const at = serve(() => Response.redirect(`http://${host}:1/`));
      const mayReach = (address: string) => address === '127.0.0.1' || isPublicAddress(address);
      const asked = { ...USUAL, mostRedirects: 1 };
      expect(await failure(outbound({ mayReach })(at('good.test'), asked))).toBe('refused');
    },
  );

  test('that leads in circles ends', async () => {
    let count = 0;
    const at = serve(() => {
      count += 1;
      return Response.redirect(at('good.test'));
    });
    const asked = { ...USUAL, mostRedirects: 3 };
    expect(await failure(outbound()(at('good.test'), asked))).toBe('too_many_redirects');
    expect(count).toBe(4);
  });
});

describe('[OC4] an answer', () => {
  test('that is too large is not read to its end', async () => {
    const at = serve(({ url }) => {
      const endless = new ReadableStream({ pull: (to) => to.enqueue(new Uint8Array(1_000)) });
      return url.endsWith('endless') ? new Response(endless) : new Response('x'.repeat(1_001));
    });
    for (const path of ['/endless', '/announced']) {
      expect(await failure(outbound()(at('good.test', path), USUAL))).toBe('too_large');
    }
  });

  test('an answer may be cut instead, as what it begins with says', async () => {
    const at = serve(({ url }) => {
      const endless = new ReadableStream({ pull: (to) => to.enqueue(new Uint8Array(1_000)) });
      const type = url.endsWith('page') ? 'text/html' : 'video/mp4';
      return new Response(endless, { headers: { 'Content-Type': type } });
    });
    const asked: OutboundRequest = {
      ...USUAL,
      largerBody: 'cut',
      mostBytes: ({ headers }) => (headers['content-type'] === 'text/html' ? 1_500 : 0),
    };
    const lengths: number[] = [];
    for (const path of ['/page', '/film']) {
      lengths.push((await outbound()(at('good.test', path), asked)).body.length);
    }
    expect(lengths).toEqual([1_500, 0]);
  });

  test('that never ends, or never begins, fails in time', async () => {
    const at = serve(({ url }) => {
      const stalled = new ReadableStream({ start: (to) => to.enqueue(new Uint8Array(1)) });
      return url.endsWith('stalled') ? new Response(stalled) : new Promise<Response>(() => {});
    });
    for (const path of ['/stalled', '/silent']) {
      const asked = { ...USUAL, timeoutMs: 50 };
      expect(await failure(outbound()(at('good.test', path), asked))).toBe('timeout');
    }
  });

  test.each([
    [
      'changes to another protocol',
      'HTTP/1.1 101 Yes\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
    ],
    ['says 101 and nothing else', 'HTTP/1.1 101 Switching Protocols\r\n\r\n'],
    ['is always preceded by another', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100)],
    ['is no HTTP', '220 mail.example.org ESMTP\r\n'],
    ['has an endless head', `HTTP/1.1 200 OK\r\n${`X: ${'x'.repeat(1_000)}\r\n`.repeat(200)}`],
    [
      'has endless trailers',
      `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n${`X: ${'x'.repeat(1_000)}\r\n`.repeat(200)}`,
    ],
  ])('that %s is a failure, although the connection stays open', async (_what, text) => {
    const at = await serveBytes(text);
    const asked = { ...USUAL, timeoutMs: 60_000 };
    expect(await failure(outbound()(at, asked))).toBe('unreachable');
  });

  test.each([
    ['does not end its head', 'HTTP/1.1 200 OK\r\n'],
    ['does not end its trailers', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: x'],
    ['ends with the connection', 'HTTP/1.0 200 OK\r\n\r\nhello'],
  ])('that %s fails in time', async (_what, text) => {
    const at = await serveBytes(text);
    expect(await failure(outbound()(at, { ...USUAL, timeoutMs: 50 }))).toBe('timeout');
  });

  test('an answer may be preceded by a few others', async () => {
    const hints = 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(3);
    const at = await serveBytes(`${hints}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi`);
    const { status, body } = await outbound()(at, USUAL);
    expect([status, Buffer.from(body).toString()]).toEqual([200, 'hi']);
  });

  test('that is compressed is never expanded', async () => {
    const bomb = Bun.gzipSync(new Uint8Array(10_000_000));
    const headers = { 'Content-Encoding': 'gzip' };
    const at = serve(() => new Response(bomb, { headers }));
    const asked = { ...USUAL, mostBytes: 20_000 };
    expect((await outbound()(at('good.test'), asked)).body).toHaveLength(bomb.length);
  });

  test('an answer is given up when the caller does', async () => {
    const at = serve(() => new Promise<Response>(() => {}));
    const caller = new AbortController();
    const asked = outbound()(at('good.test'), { ...USUAL, signal: caller.signal });
    caller.abort(new Error('no longer needed'));
    await expect(asked).rejects.toThrow('no longer needed');
  });

  test('an answer of nobody is a failure, and a POST arrives with its body', async () => {
    const at = serve(async (request) => new Response(await request.text(), { status: 202 }));
    const sent = await outbound()(at('good.test'), { ...USUAL, method: 'POST', body: 'hello' });
    expect([sent.status, new TextDecoder().decode(sent.body)]).toEqual([202, 'hello']);
    await server?.stop(true);
    expect(await failure(outbound()(at('good.test'), USUAL))).toBe('unreachable');
  });
});
