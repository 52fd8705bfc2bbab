/** A WebSocket of a client, and that to the instance. */
interface Line {
  readonly inner: WebSocket;
  /** Payloads that it received before the client could be sent them. */
  readonly early: string[];
}

/** A proxy that serves an instance below a path, as owners set it up beside other sites. */
export function startPathProxy(path: string, target: string): AsyncDisposable & { url: string } {
  const server = Bun.serve<Line>({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request, bun) {
      const { method, headers } = request;
      const { pathname, search } = new URL(request.url);
      if (!pathname.startsWith(`${path}/`)) return new Response('another site', { status: 404 });
      const inner = new URL(`.${pathname.slice(path.length)}${search}`, target);
      if (headers.get('upgrade') === 'websocket') {
        const data = await opened(inner.href.replace('http', 'ws'));
        return bun.upgrade(request, { data }) ? undefined : new Response('', { status: 500 });
      }
      const body = method === 'GET' || method === 'HEAD' ? null : await request.bytes();
      return fetch(inner, { method, headers, body, decompress: false });
    },
    websocket: {
      open(socket) {
        const { inner, early } = socket.data;
        for (const text of early) socket.send(text);
        inner.addEventListener('message', ({ data }) => socket.send(String(data)));
        inner.addEventListener('close', ({ code, reason }) => socket.close(code, reason));
      },
      message: ({ data: { inner } }, text) => inner.send(String(text)),
      close: ({ data: { inner } }) => inner.close(),
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}${path}/`,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

/** A WebSocket that is open. */
async function opened(url: string): Promise<Line> {
  const inner = new WebSocket(url);
  const early: string[] = [];
  inner.addEventListener('message', ({ data }) => early.push(String(data)));
  await new Promise((resolve, reject) => {
    inner.addEventListener('open', resolve);
    inner.addEventListener('error', reject);
  });
  return { inner, early };
}
