import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { freePorts } from '@hearth/testing/free-ports';
import { askCaddy, CADDYFILE, caddyProgram, startCaddy, type Site } from './support/caddy.ts';

const program = caddyProgram() ?? '';

interface Seen {
  readonly by: string;
  readonly path: string;
  readonly headers: Headers;
}

/** A stand-in for one of Hearth's processes, which records the requests that it receives. */
function upstream(by: string, seen: Seen[]) {
  return Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    maxRequestBodySize: 200_000_000,
    async fetch(request, server) {
      const { pathname, search } = new URL(request.url);
      seen.push({ by, path: `${pathname}${search}`, headers: new Headers(request.headers) });
      if (server.upgrade(request)) return undefined;
      const sizeBytes = (await request.bytes()).byteLength;
      return Response.json({ by, sizeBytes });
    },
    websocket: {
      message(socket, text) {
        socket.send(`${by} ${String(text)}`);
      },
    },
  });
}

describe.skipIf(program === '')('deploy/Caddyfile', () => {
  const names = ['rest-1', 'rest-2', 'gateway-1', 'gateway-2', 'files-1', 'web'];
  const seen: Seen[] = [];
  let servers: Map<string, ReturnType<typeof upstream>>;
  let site: Site;
  let caddy: AsyncDisposable;

  const at = (name: string) => `127.0.0.1:${servers.get(name)?.port}`;

  beforeEach(async () => {
    servers = new Map(names.map((name) => [name, upstream(name, seen)]));
    const [port] = await freePorts(1);
    site = {
      SITE: `http://127.0.0.1:${port}`,
      REST: `${at('rest-1')} ${at('rest-2')}`,
      GATEWAY: `${at('gateway-1')} ${at('gateway-2')}`,
      FILES: at('files-1'),
      WEB: at('web'),
    };
    caddy = await startCaddy(program, site);
    seen.length = 0;
  });

  afterEach(async () => {
    await caddy[Symbol.asyncDispose]();
    for (const server of servers.values()) await server.stop(true);
  });

  test('the Caddyfile is valid, and formatted as Caddy formats it', async () => {
    const config = ['--config', CADDYFILE, '--adapter', 'caddyfile'];
    expect(await askCaddy(program, ['validate', ...config], site)).toMatchObject({ exitCode: 0 });
    const { stdout } = await askCaddy(program, ['fmt', CADDYFILE]);
    expect(stdout).toBe(readFileSync(CADDYFILE, 'utf8'));
  });

  test.each([
    ['/api', 'rest', '/'],
    ['/api/', 'rest', '/'],
    ['/api/messages?limit=1', 'rest', '/messages?limit=1'],
    ['/files/attachments/1', 'files', '/attachments/1'],
    ['/files', 'files', '/'],
    ['/', 'web', '/'],
    ['/assets/main.js', 'web', '/assets/main.js'],
    ['/apis', 'web', '/apis'],
    ['/gateways', 'web', '/gateways'],
  ])('%s goes to %s as %s', async (path, component, expected) => {
    const answer = await fetch(`${site.SITE}${path}`);
    const { by }: { by: string } = await answer.json();
    expect(by.replace(/-\d$/, '')).toBe(component);
    expect(seen.map((request) => request.path)).toEqual([expected]);
  });

  test('a client has the address that Caddy saw, whatever headers it sends', async () => {
    const forged = {
      'CF-Connecting-IP': '192.0.2.1',
      'X-Real-IP': '192.0.2.2',
      'X-Forwarded-For': '192.0.2.3',
    };
    for (const path of ['/api', '/gateway', '/files', '/']) {
      await fetch(`${site.SITE}${path}`, { headers: forged });
    }
    expect(seen).toHaveLength(4);
    for (const { headers } of seen) {
      expect(headers.get('CF-Connecting-IP')).toBeNull();
      expect(headers.get('X-Real-IP')).toBe('127.0.0.1');
    }
  });

  test('requests go to both REST services, and sockets go to both gateways', async () => {
    for (let count = 0; count < 4; count += 1) await fetch(`${site.SITE}/api`);
    expect(new Set(seen.map(({ by }) => by))).toEqual(new Set(['rest-1', 'rest-2']));
    seen.length = 0;
    const sockets = [await connect(site), await connect(site)];
    expect(new Set(seen.map(({ by }) => by))).toEqual(new Set(['gateway-1', 'gateway-2']));
    expect(seen.map(({ path }) => path)).toEqual(['/?v=1', '/?v=1']);
    for (const socket of sockets) socket.close();
  });

  test('an upload is forwarded while it arrives', async () => {
    const answer = await fetch(`${site.SITE}/files/attachments`, {
      method: 'POST',
      body: new Uint8Array(30_000_000),
    });
    expect(await answer.json()).toEqual({ by: 'files-1', sizeBytes: 30_000_000 });
  });

  test('if one of two processes is gone, the other one gets all requests', async () => {
    await servers.get('gateway-1')?.stop(true);
    await servers.get('rest-1')?.stop(true);
    const sockets = await Promise.all(Array.from({ length: 4 }, () => connect(site)));
    expect(new Set(seen.map(({ by }) => by))).toEqual(new Set(['gateway-2']));
    for (const socket of sockets) socket.close();
    for (let count = 0; count < 4; count += 1) {
      expect((await fetch(`${site.SITE}/api`)).status).toBe(200);
    }
  });

  test('only the first post to a process that is gone fails, and it is not sent twice', async () => {
    await servers.get('rest-1')?.stop(true);
    const statuses = [];
    for (let count = 0; count < 8; count += 1) statuses.push((await post(site)).status);
    expect(new Set(statuses)).toEqual(new Set([200, 502]));
    expect(seen).toHaveLength(statuses.filter((status) => status === 200).length);
    expect(new Set(seen.map(({ by }) => by))).toEqual(new Set(['rest-2']));
  });

  test('a socket is cut if its gateway is gone, and the next one goes to the other gateway', async () => {
    const first = await connect(site);
    const by = seen[0]?.by ?? '';
    const cut = new Promise((resolve) => {
      first.addEventListener('close', resolve);
    });
    await servers.get(by)?.stop(true);
    await cut;
    const second = await connect(site);
    expect(seen.at(-1)?.by).not.toBe(by);
    second.close();
  });
});

function post({ SITE }: Site): Promise<Response> {
  return fetch(`${SITE}/api/messages`, { method: 'POST', body: '{}' });
}

/** A socket that has received an answer. */
async function connect({ SITE }: Site): Promise<WebSocket> {
  const socket = new WebSocket(`${SITE.replace('http', 'ws')}/gateway?v=1`);
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => socket.send('PING'));
    socket.addEventListener('message', () => resolve());
    socket.addEventListener('close', ({ reason }) => reject(new Error(`closed: ${reason}`)));
  });
  return socket;
}
