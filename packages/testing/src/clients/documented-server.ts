import type { ServerWebSocket } from 'bun';

/** A running server of the documented interface, with the requests that it got. */
export interface DocumentedServer extends AsyncDisposable {
  readonly url: string;
  /** All requests, in order: method, path and query, or opcode. */
  readonly seen: readonly string[];
  /** The bodies of `POST /messages` as they came. */
  readonly bodies: readonly unknown[];
  /** Closes every gateway connection like a server of the interface. */
  closeAll(code: number, reason: string): void;
  /** Sends a text to every gateway connection. */
  push(text: string): void;
  connections(): number;
}

export interface DocumentedServerOptions {
  /** A path prefix of all routes, without a slash at its end. */
  readonly path?: string;
  readonly info?: Readonly<Record<string, unknown>>;
  /** Replaces the default answer if it returns something. */
  readonly answer?: (request: Request) => Response | undefined | Promise<Response | undefined>;
  /** True if `GET /capabilities` says that it can do more. `answer` has to do the rest. */
  readonly isExtended?: boolean;
  /** True if its gateway sends nothing at all, not even PONG. */
  readonly isMute?: boolean;
}

/** Starts a server that knows only the documented interface, nothing of Hearth's, with all three services on one port. */
export function startDocumentedServer(options: DocumentedServerOptions = {}): DocumentedServer {
  const { path = '' } = options;
  const seen: string[] = [];
  const bodies: unknown[] = [];
  const sockets = new Set<ServerWebSocket<undefined>>();
  const files = new Map<string, File>();

  async function answer(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    seen.push(`${request.method} ${pathname}${search}`);
    const given = await options.answer?.(request);
    if (given !== undefined) return given;
    if (!pathname.startsWith(path)) return failed(404);
    const route = `${request.method} ${pathname.slice(path.length)}${search}`;
    if (route === 'GET /') return Response.json(info);
    if (route === 'GET /rate_limits') return Response.json(LIMITS);
    if (route === 'GET /capabilities' && options.isExtended === true) {
      return Response.json(CAPABILITIES);
    }
    if (route === 'POST /messages') return post(await request.json());
    if (route === 'POST /attachments') return upload(await request.formData());
    const [, id = '', more = ''] = /^GET \/([0-9]+)(\/data|\/download)?$/.exec(route) ?? [];
    const file = files.get(id);
    if (file === undefined) return failed(404);
    return more === '/data' ? Response.json(described(id, file)) : new Response(file);
  }

  function post(body: unknown): Response {
    bodies.push(body);
    if (Object.keys(Object(body)).join() !== 'author,content') {
      return failed(422, { field_name: 'author', error: 'has unknown company' });
    }
    const text = JSON.stringify({ op: 'MESSAGE_CREATE', d: body });
    for (const socket of sockets) socket.send(text);
    return Response.json(body, { status: 201 });
  }

  function upload(form: FormData): Response {
    const file = form.get('file');
    if (!(file instanceof File)) return failed(422, { field_name: 'file', error: 'missing' });
    const id = String(files.size + 1);
    files.set(id, file);
    return Response.json(described(id, file));
  }

  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request, own) {
      if (request.headers.get('upgrade') === null) return answer(request);
      const { pathname, search } = new URL(request.url);
      seen.push(`CONNECT ${pathname}${search}`);
      return own.upgrade(request, { data: undefined }) ? undefined : failed(400);
    },
    websocket: {
      open: (socket) => void sockets.add(socket),
      close: (socket) => void sockets.delete(socket),
      message(socket, text) {
        const isPing = String(text) === '{"op":"PING"}';
        seen.push(isPing ? 'PING' : `payload ${String(text)}`);
        if (isPing && options.isMute !== true) socket.send('{"op":"PONG"}');
      },
    },
  });
  const url = `http://127.0.0.1:${server.port}${path}`;
  const info = {
    instance_name: 'Elsewhere',
    description: null,
    version: options.isExtended === true ? '0.3.2+extended' : '0.3.2',
    message_limit: 2048,
    oprish_url: url,
    pandemonium_url: url.replace('http', 'ws'),
    effis_url: url,
    file_size: 20_000_000,
    attachment_file_size: 100_000_000,
    ...options.info,
  };
  return {
    url,
    seen,
    bodies,
    closeAll: (code, reason) => sockets.forEach((socket) => socket.close(code, reason)),
    push: (text) => sockets.forEach((socket) => void socket.send(text)),
    connections: () => sockets.size,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

/** FileData as another server may send it: one spelling, a bare number, its own word for a type, a further field. */
function described(id: string, file: File): unknown {
  const metadata = { type: 'audio', seconds: 3 };
  return { id: Number(id), name: file.name, bucket: 'attachments', spoiler: false, metadata };
}

const CAPABILITIES = {
  profiles: [0, 1],
  features: ['history', 'nonce', 'something_of_later'],
  registration: 'closed',
  lobby: 'open',
  limits: {
    message_limit: 2048,
    nonce_limit: 64,
    page_limit: 100,
    file_size: 20_000_000,
    attachment_file_size: 100_000_000,
  },
};

const plain = { reset_after: 5, limit: 10 };
const LIMITS = {
  oprish: { info: plain, message_create: plain, 'rate limits': plain },
  pandemonium: plain,
  effis: {
    assets: { ...plain, file_size_limit: 1_000 },
    attachments: { ...plain, file_size_limit: 1_000 },
    fetch_file: plain,
  },
};

function failed(status: number, data?: object): Response {
  return Response.json({ status, message: 'No', data }, { status });
}
