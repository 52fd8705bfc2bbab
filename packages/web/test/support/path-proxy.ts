/** A proxy that serves a web client below a path, as owners set it up beside other sites. */
export function startPathProxy(path: string, target: string): AsyncDisposable & { url: string } {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch({ url, method, headers }) {
      const { pathname, search } = new URL(url);
      if (!pathname.startsWith(`${path}/`)) return new Response('another site', { status: 404 });
      const inner = new URL(`.${pathname.slice(path.length)}${search}`, target);
      return fetch(inner, { method, headers, decompress: false });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}${path}/`,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}
