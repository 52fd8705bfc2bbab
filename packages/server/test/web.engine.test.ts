import { WEB_PLACES } from '@hearth/protocol';
import { instanceInfoSchema } from '@hearth/protocol/schemas';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rm } from 'node:fs/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { startInstance } from '../src/instance.ts';
import { loadConfig } from '../src/config/load-config.ts';
import { freePorts } from '@hearth/testing/free-ports';
import { BEHIND_PROXY, LimitedClient, limitHeaders } from '@hearth/testing/clients/limited-client';
import { startLimitedInstance } from '@hearth/testing/instances/limited-instance';
import { occupied } from '@hearth/testing/occupied';
import { RawConnection, rawRequest, requestLines } from '@hearth/testing/clients/raw-http';
import { readError } from '@hearth/testing/clients/read-error';
import { upload } from '@hearth/testing/clients/upload-form';
import { tempFolder, type TempFolder } from '@hearth/testing/temp-folder';
import {
  deployment,
  GENEROUS_LIMITS,
  startTestInstance,
  webAddressOf,
  type TestInstance,
} from '@hearth/testing/instances/test-instance';
import {
  PAGE_TEXT,
  SCRIPT,
  SCRIPT_TEXT,
  STYLE,
  webFolder,
} from '@hearth/testing/instances/web-folder';

const NAME = 'Ada\'s </script><script>alert("x")</script> & home';
const TOML = `instance_name = ${JSON.stringify(NAME)}\ndescription = "<!-- warm -->"\n${GENEROUS_LIMITS}`;
/** More than the system buffers for a client that reads nothing. */
const LARGE_BYTES = 16_000_000;
/** Paths that have to be revalidated each time. */
const REVALIDATED = ['/', '/index.html', '/sw.js', '/manifest.webmanifest', '/icon.svg'];

let folder: TempFolder;
let instance: TestInstance;
let web: string;

beforeAll(async () => {
  folder = await webFolder();
  instance = await startTestInstance({ toml: TOML, web: folder.path });
  web = webAddressOf(instance);
});

afterAll(async () => {
  await instance[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const JSON_WISH = { headers: { Accept: 'application/json' } };

/** The InstanceInfo in a page. */
function infoIn(page: string): unknown {
  const [, text = ''] = /id="instance-info">([^<]*)<\/script>/.exec(page) ?? [];
  return JSON.parse(text);
}

async function restInfo({ addresses }: Pick<TestInstance, 'addresses'>): Promise<unknown> {
  return instanceInfoSchema.parse(await (await fetch(addresses.rest)).json());
}

/** The InstanceInfo of an instance whose page was opened at `url`. */
async function infoAt(url: string, from: Pick<TestInstance, 'addresses'>): Promise<unknown> {
  const known = instanceInfoSchema.parse(await restInfo(from));
  return {
    ...known,
    oprish_url: `${url}/api`,
    pandemonium_url: `${url.replace('http', 'ws')}/gateway`,
    effis_url: `${url}/files`,
  };
}

describe('[WC1] the web client', () => {
  test('the web client is on port 7162 by default', async () => {
    const { config } = await loadConfig({
      env: {},
      workingDir: instance.folder,
      writeMissingFile: false,
    });
    expect(config.deployment).toMatchObject({ webPort: 7162, webPortGiven: false });
  });

  test('the web client can be switched off, and the other components answer the same with it and without it', async () => {
    await using without = await startTestInstance({ web: folder.path, env: { WEB_PORT: 'off' } });
    await using with_ = await startTestInstance({ web: folder.path });
    expect([without.web, with_.web.state]).toEqual([{ state: 'off' }, 'served']);
    const answers = async ({ addresses }: TestInstance) => {
      const { rest, files, gateway } = addresses;
      const urls = [rest, `${rest}/rate_limits`, `${files}/1`, gateway.replace('ws:', 'http:')];
      const asked = await Promise.all(
        urls.map((url) => fetch(url, { headers: { Accept: 'text/html' } })),
      );
      return asked.map(({ status, headers }) => [status, Array.from(headers.keys()).toSorted()]);
    };
    expect(await answers(with_)).toEqual(await answers(without));
  });
});

describe('[WC2] if the port is in use,', () => {
  test('an instance without a WEB_PORT starts without the web client', async () => {
    await using _other = await occupied(7162);
    await using started = await startTestInstance({ web: folder.path, env: { WEB_PORT: '' } });
    expect(started.web).toEqual({
      state: 'missing',
      reason: 'port 7162: the port is in use; WEB_PORT chooses another',
    });
    expect(await restInfo(started)).toMatchObject({ instance_name: 'Hearth' });
  });

  test('an instance whose owner gave the port to another component starts without the web client', async () => {
    await using started = await startTestInstance({
      web: folder.path,
      env: { WEB_PORT: '', HOST: '127.0.0.2', OPRISH_PORT: '7162' },
    });
    expect(started.web).toMatchObject({
      state: 'missing',
      reason: expect.stringContaining('7162'),
    });
    expect(started.addresses.rest).toBe('http://127.0.0.2:7162');
    expect(await restInfo(started)).toMatchObject({ oprish_url: 'http://127.0.0.2:7162' });
  });

  test('an instance with a WEB_PORT does not start, and keeps no other port open', async () => {
    const [port = 0] = await freePorts(1);
    await using _other = await occupied(port);
    const env = { ...(await deployment()), WEB_PORT: String(port) };
    await expect(startTestInstance({ web: folder.path, env })).rejects.toThrow(
      `WEB_PORT: cannot listen on port ${port}: the port is in use`,
    );
    await using started = await startTestInstance({ env: { ...env, WEB_PORT: 'off' } });
    expect(await restInfo(started)).toMatchObject({ instance_name: 'Hearth' });
  });
});

describe('[WC3] without a built web client,', () => {
  test.each([undefined, 'nowhere', 'empty'])('an instance starts without it: %p', async (name) => {
    await using home = await tempFolder();
    const { config } = await loadConfig({
      env: await deployment({ web: true }),
      workingDir: home.path,
      writeMissingFile: false,
    });
    const places = { nowhere: `${home.path}/nowhere`, empty: home.path };
    const webAt = name === 'nowhere' || name === 'empty' ? places[name] : undefined;
    await using started = await startInstance(config, { webFolder: webAt });
    expect(started.web).toMatchObject({
      state: 'missing',
      reason: expect.stringContaining('not built'),
    });
    expect(await restInfo(started)).toMatchObject({ instance_name: 'Hearth' });
  });

  test('or if its manifest cannot be read, an instance starts without it', async () => {
    await using broken = await webFolder({ 'manifest.webmanifest': '[' });
    await using started = await startTestInstance({ web: broken.path });
    expect(started.web).toMatchObject({
      state: 'missing',
      reason: expect.stringContaining('JSON'),
    });
    expect(await restInfo(started)).toMatchObject({ instance_name: 'Hearth' });
  });

  test('if it was deleted after the start, the instance still serves it', async () => {
    await using gone = await webFolder();
    await using started = await startTestInstance({ web: gone.path });
    await rm(gone.path, { recursive: true });
    const script = await fetch(`${webAddressOf(started)}/${SCRIPT}`);
    expect(await script.text()).toBe(SCRIPT_TEXT);
  });
});

describe('[WC5] the page', () => {
  test.each(['/', '/index.html', '/?x=1', '//'])(
    'at %s contains the InstanceInfo',
    async (path) => {
      const answer = await fetch(web + path);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(infoIn(await answer.text())).toEqual(await infoAt(web, instance));
    },
  );

  test('the page is otherwise the built page, with the name as its title and nothing added but what is at its origin', async () => {
    const sent = await (await fetch(web)).text();
    const page = sent.replace(
      /<script type="application\/json" id="own-services">[^<]*<\/script>/,
      '',
    );
    const title =
      'Ada&#39;s &#60;/script&#62;&#60;script&#62;alert(&#34;x&#34;)&#60;/script&#62; &#38; home';
    expect(page.replace(/(id="instance-info">)[^<]*/, '$1').replace(title, 'A client')).toBe(
      PAGE_TEXT,
    );
  });
});

describe('[WC20] the page', () => {
  const PLACES = Object.values(WEB_PLACES).map((path) => path.replaceAll(/:\w+/g, '12'));

  test.each(PLACES)('the page is the answer at the place %s, with its addresses', async (path) => {
    const answer = await fetch(web + path);
    const page = await answer.text();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    expect(infoIn(page)).toEqual(await infoAt(web, instance));
    const [, base = ''] = /<base href="([^"]*)"/.exec(page) ?? [];
    expect(new URL(SCRIPT, new URL(base, web + path)).href).toBe(`${web}/${SCRIPT}`);
  });

  test.each(['/nothing', '/lobby/1/2', '/c', '/settings.html', '/moderation/x'])(
    'the page is not the answer at %s',
    async (path) => {
      expect((await readError(await fetch(web + path))).status).toBe(404);
    },
  );
});

describe('[WC6] the InstanceInfo', () => {
  test('the InstanceInfo is the answer to a client that prefers JSON, and any page may read it', async () => {
    const [own, rest] = [await fetch(web, JSON_WISH), await fetch(`${web}/api`)];
    expect(await own.text()).toBe(await rest.text());
    for (const name of ['content-type', 'cache-control', 'access-control-allow-origin']) {
      expect(own.headers.get(name)).toBe(rest.headers.get(name));
    }
    expect(own.headers.get('access-control-allow-origin')).toBe('*');
  });

  test('and the page have Vary: Accept', async () => {
    for (const answer of [await fetch(web, JSON_WISH), await fetch(web)]) {
      expect(answer.headers.get('vary')).toBe('Accept');
    }
  });

  test('the InstanceInfo is not sent to other clients: they get the page, which only pages of the same origin may read', async () => {
    const accepts = [
      '*/*',
      'text/html,application/xhtml+xml,*/*;q=0.8',
      'text/html, application/json',
    ];
    for (const accept of accepts) {
      const answer = await fetch(web, { headers: { Accept: accept } });
      expect(await answer.text()).toStartWith('<!doctype html>');
      expect(answer.headers.has('access-control-allow-origin')).toBe(false);
    }
  });
});

describe('[WC7][WC7a] the addresses of other processes', () => {
  const ask = async (url: string, host: string, accept = 'text/html') => {
    const lines = requestLines('GET', '/', `Accept: ${accept}`).replace('hearth.test', host);
    return rawRequest(url, lines);
  };

  test('the addresses are always the same if the web client listens on one address', async () => {
    const env = { COMPONENTS: 'web' };
    await using alone = await startTestInstance({ env, web: folder.path });
    const answer = await ask(webAddressOf(alone), 'elsewhere.example:7162');
    const { rest, gateway, files } = alone.addresses;
    const expected = { oprish_url: rest, pandemonium_url: gateway, effis_url: files };
    expect(infoIn(await answer.text())).toMatchObject(expected);
  });

  test('the addresses have the host of the request if the web client listens on every address, except for those that are set', async () => {
    const toml = GENEROUS_LIMITS.replace(
      '[pandemonium]',
      '[pandemonium]\nurl = "wss://gateway.example/x"',
    );
    const env = { HOST: '0.0.0.0', COMPONENTS: 'web' };
    await using everywhere = await startTestInstance({ toml, env, web: folder.path });
    const url = webAddressOf(everywhere);
    const ports = [everywhere.addresses.rest, everywhere.addresses.files].map(
      (at) => new URL(at).port,
    );
    const expected = {
      oprish_url: `http://nas.home:${ports[0]}`,
      pandemonium_url: 'wss://gateway.example/x',
      effis_url: `http://nas.home:${ports[1]}`,
    };
    const page = await ask(url, 'nas.home:7162');
    expect(page.headers.get('content-security-policy')).toContain(
      `connect-src 'self' ${expected.oprish_url} wss://gateway.example ${expected.effis_url};`,
    );
    expect(infoIn(await page.text())).toMatchObject(expected);
    expect(await (await ask(url, 'nas.home', 'application/json')).json()).toMatchObject(expected);
    const script = await rawRequest(
      url,
      requestLines('GET', '/sw.js').replace('hearth.test', 'nas.home'),
    );
    expect(script.headers.get('content-security-policy')).toContain(expected.oprish_url);
    const { rest, files } = everywhere.addresses;
    for (const odd of ["x;script-src 'unsafe-inline'", 'a,b', '']) {
      const info = infoIn(await (await ask(url, odd)).text());
      expect(info).toMatchObject({ oprish_url: rest, effis_url: files });
    }
  });
});

describe('[WC8][WC8b] the headers', () => {
  test('the headers of the page allow its own files and the three components, and nothing else', async () => {
    await using alone = await startTestInstance({ env: { COMPONENTS: 'web' }, web: folder.path });
    const { headers } = await fetch(webAddressOf(alone));
    const { rest, gateway, files } = alone.addresses;
    expect(headers.get('content-security-policy')).toBe(
      `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data: ${files}; ` +
        `media-src blob: ${files}; connect-src 'self' ${rest} ${gateway} ${files}; font-src 'self'; ` +
        "manifest-src 'self'; worker-src 'self'; base-uri 'self'; form-action 'none'; frame-ancestors 'none'; " +
        "require-trusted-types-for 'script'; trusted-types dompurify hearth, " +
        `script-src http://*:*/${SCRIPT}; worker-src http://*:*/sw.js`,
    );
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': expect.stringContaining('camera=(), '),
    });
  });

  test('the headers of scripts are as strict as those of the page, and those of everything else are stricter', async () => {
    const policyOf = async (path: string) => {
      const { headers } = await fetch(`${web}${path}`);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      return headers.get('content-security-policy');
    };
    const own = await policyOf('/');
    expect([await policyOf('/sw.js'), await policyOf(`/${SCRIPT}`)]).toEqual([own, own]);
    for (const path of [`/${STYLE}`, '/icon.svg', '/manifest.webmanifest']) {
      expect(await policyOf(path)).toBe(
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      );
    }
  });
});

test('[WC9] the built web client names only its own files, by relative addresses', async () => {
  await using own = await startTestInstance({ web: true });
  const url = webAddressOf(own);
  const page = await (await fetch(url)).text();
  const linked = page.matchAll(/<(?:link|script)[^>]* (?:href|src)="([^"]*)"/g);
  const addresses = Array.from(linked, ([, address = '']) => address);
  const styles = addresses.filter((address) => address.endsWith('.css'));
  expect([styles.length, addresses.some((address) => address.endsWith('.js'))]).toEqual([1, true]);
  for (const style of styles) {
    const text = await (await fetch(`${url}/${style}`)).text();
    expect(text).not.toContain('@import');
    const named = text.matchAll(/url\(["']?([^)"']*)/g);
    addresses.push(...Array.from(named, ([, address = '']) => `assets/${address}`));
  }
  for (const address of addresses) {
    expect(address).toMatch(/^(?:assets\/(?:\.\/)?)?[\w-]+\.\w+$/);
    expect([address, (await fetch(`${url}/${address}`)).status]).toEqual([address, 200]);
  }
});

describe('[WC10] caches', () => {
  test.each([SCRIPT, STYLE])('caches keep /%s for a year without revalidation', async (path) => {
    const { headers } = await fetch(`${web}/${path}`);
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });

  test.each(REVALIDATED)(
    'caches revalidate %s, and get 304 if it has not changed',
    async (path) => {
      const first = await fetch(web + path);
      const etag = first.headers.get('etag') ?? '';
      expect([first.status, first.headers.get('cache-control')]).toEqual([200, 'no-cache']);
      expect(etag).toMatch(/^"[\da-f]{64}"$/);
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const again = await fetch(web + path, { headers: { 'If-None-Match': known } });
        expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([
          304,
          etag,
          '',
        ]);
        expect(again.headers.get('content-security-policy')).toBe(
          first.headers.get('content-security-policy'),
        );
      }
      const changed = await fetch(web + path, { headers: { 'If-None-Match': '"other"' } });
      expect(changed.status).toBe(200);
    },
  );

  test('caches get another ETag for a page with other addresses', async () => {
    const env = { HOST: '0.0.0.0' };
    await using everywhere = await startTestInstance({ env, web: folder.path });
    const etags = ['a', 'b', 'a'].map(async (host) => {
      const lines = requestLines('GET', '/').replace('hearth.test', host);
      return (await rawRequest(webAddressOf(everywhere), lines)).headers.get('etag');
    });
    const [first, second, again] = await Promise.all(etags);
    expect(again).toBe(`${first}`);
    expect(second).not.toBe(`${first}`);
  });
});

describe('[WC11] a script', () => {
  const ask = (encodings: string | undefined) => {
    const wish = encodings === undefined ? [] : [`Accept-Encoding: ${encodings}`];
    return rawRequest(web, requestLines('GET', `/${SCRIPT}`, ...wish));
  };

  const asItIs = (bytes: Uint8Array) => bytes;
  test.each([
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['gzip, deflate', 'gzip', gunzipSync],
    ['deflate', null, asItIs],
    ['br;q=0, gzip;q=0', null, asItIs],
    [undefined, null, asItIs],
  ])('for a client that accepts %p is encoded as %p', async (accepted, encoding, decode) => {
    const answer = await ask(accepted);
    expect(answer.headers.get('content-encoding')).toBe(encoding);
    expect(answer.headers.get('vary')).toBe('Accept-Encoding');
    expect(Buffer.from(decode(await answer.bytes())).toString()).toBe(SCRIPT_TEXT);
  });

  test('a script has an ETag of its own for each encoding, and none of them matches another encoding', async () => {
    const tags = await Promise.all(
      ['br', 'gzip', ''].map(async (encoding) => (await ask(encoding)).headers.get('etag')),
    );
    expect(new Set(tags).size).toBe(3);
    const lines = requestLines(
      'GET',
      `/${SCRIPT}`,
      'Accept-Encoding: gzip',
      `If-None-Match: ${tags[0]}`,
    );
    expect((await rawRequest(web, lines)).status).toBe(200);
  });

  test('without compressed copies is sent as it is', async () => {
    const answer = await rawRequest(
      web,
      requestLines('GET', `/${STYLE}`, 'Accept-Encoding: br, gzip'),
    );
    expect([answer.headers.get('content-encoding'), answer.headers.get('vary')]).toEqual([
      null,
      null,
    ]);
    expect(await answer.text()).toBe('p { color: red }');
  });

  test('a script is sent whole, whatever range is requested', async () => {
    for (const path of [`/${SCRIPT}`, '/']) {
      const answer = await fetch(web + path, { headers: { Range: 'bytes=0-1' } });
      expect([answer.status, (await answer.bytes()).length > 100]).toEqual([200, true]);
    }
  });
});

test("[WC12] the manifest has the instance's name and description", async () => {
  const answer = await fetch(`${web}/manifest.webmanifest`);
  expect(answer.headers.get('content-type')).toBe('application/manifest+json');
  expect(await answer.json()).toEqual({
    name: NAME,
    short_name: NAME,
    description: '<!-- warm -->',
    start_url: './',
    icons: [],
  });
});

describe('[WC13] as at the other HTTP components,', () => {
  test.each([...REVALIDATED, `/${SCRIPT}`, '/nothing'])(
    'HEAD of %s is answered like GET, without a body',
    async (path) => {
      const [get, head] = [await fetch(web + path), await fetch(web + path, { method: 'HEAD' })];
      expect([head.status, await head.text()]).toEqual([get.status, '']);
      for (const name of [
        'content-type',
        'etag',
        'cache-control',
        'content-security-policy',
        'vary',
      ]) {
        expect(head.headers.get(name)).toBe(get.headers.get(name));
      }
    },
  );

  test.each([
    '/nothing',
    '/assets',
    '/assets/',
    '/assets/nothing.js',
    `/${SCRIPT}.br`,
    '/assets/..%2findex.html',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/%00',
    '/%',
    '/constructor',
    '/__proto__',
  ])('%s is answered with 404', async (path) => {
    const answer = await rawRequest(web, requestLines('GET', path));
    expect((await readError(answer)).status).toBe(404);
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s is answered with 405', async (method) => {
    for (const path of ['/', `/${SCRIPT}`]) {
      const answer = await fetch(web + path, { method, body: 'x' });
      expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
      expect((await readError(answer)).status).toBe(405);
    }
    expect((await readError(await fetch(`${web}/nothing`, { method }))).status).toBe(404);
  });

  test('a preflight is answered with 204', async () => {
    expect((await fetch(web, { method: 'OPTIONS' })).status).toBe(204);
  });
});

test('[WC14] no request to the web client counts against a limit', async () => {
  // The limits are the defaults: 2 in 5 seconds for the InstanceInfo.
  await using limited = await startTestInstance({ toml: '', env: BEHIND_PROXY, web: folder.path });
  const client = new LimitedClient();
  const url = webAddressOf(limited);
  for (let round = 0; round < 50; round += 1) {
    for (const path of ['/', `/${SCRIPT}`, '/icon.svg']) {
      const answer = await client.get(url + path);
      expect([answer.status, limitHeaders(answer)]).toEqual([200, {}]);
    }
    const info = await fetch(url, { headers: { ...client.headers, ...JSON_WISH.headers } });
    expect([info.status, limitHeaders(info)]).toEqual([200, {}]);
  }
  expect(limitHeaders(await client.get(limited.addresses.rest)).requestCount).toBe(1);
});

describe('[WC15][OA5] the bounds', () => {
  // One test, because each case takes the same 10 seconds. If connections were not cut, it would time out.
  test('silent connections are cut, and so are those of clients that read nothing, but not one that pauses in a file', async () => {
    await using large = await webFolder({ 'assets/large.bin': new Uint8Array(LARGE_BYTES) });
    await using own = await startTestInstance({ web: large.path });
    const url = webAddressOf(own);
    using unread = await RawConnection.connect(url);
    await unread.send(requestLines('GET', '/assets/large.bin'));
    const { id } = await upload(`${url}/files`, new Uint8Array(LARGE_BYTES));
    using paused = await RawConnection.connect(url);
    await paused.send(requestLines('GET', `/files/${id}`));
    const texts = [
      '',
      'GET / HTTP/1.1\r\nHost: h',
      requestLines('GET', '/'),
      requestLines('GET', '/api/messages'),
      `${requestLines('POST', '/api/messages', 'Content-Length: 30')}{"author":`,
    ];
    const answers = texts.map(async (text) => {
      using connection = await RawConnection.connect(url);
      await connection.send(text);
      return (await connection.rest()).split('\r\n', 1)[0];
    });
    expect(await Promise.all(answers)).toEqual(['', '', 'HTTP/1.1 200 OK', 'HTTP/1.1 200 OK', '']);
    expect((await unread.rest()).length).toBeLessThan(LARGE_BYTES);
    expect((await (await paused.answer()).bytes()).length).toBe(LARGE_BYTES);
  });

  test('more requests at once than the maximum are refused, and the other components are not affected', async () => {
    await using large = await webFolder({ 'assets/large.bin': new Uint8Array(LARGE_BYTES) });
    await using limited = await startLimitedInstance(256, GENEROUS_LIMITS, large.path);
    const url = limited.web ?? '';
    await fetch(url);
    using held = new DisposableStack();
    for (let count = 0; count < 16; count += 1) {
      const unread = held.use(await RawConnection.connect(url));
      await unread.send(requestLines('GET', '/assets/large.bin'));
    }
    let refused = await fetch(url);
    while (refused.status === 200) refused = await fetch(url);
    expect(refused.headers.get('connection')).toBe('close');
    expect((await readError(refused)).status).toBe(500);
    expect(await restInfo(limited)).toMatchObject({ instance_name: 'Hearth' });
    held.dispose();
    let status = 500;
    while (status !== 200) ({ status } = await fetch(url));
  });

  // Silent connections are cut too, but only after the timeout of this test.
  test('idle connections are closed when descriptors run short', async () => {
    await using limited = await startLimitedInstance(256, GENEROUS_LIMITS, folder.path);
    using resting = new DisposableStack();
    for (let count = 0; count < 256; count += 1) {
      const connection = resting.use(await RawConnection.connect(limited.web ?? ''));
      await connection.send(requestLines('GET', '/sw.js'));
      await connection.answer();
    }
    expect(await restInfo(limited)).toMatchObject({ instance_name: 'Hearth' });
  }, 120_000);
});

test('[WC16] a stop finishes running requests and closes the port', async () => {
  await using large = await webFolder({ 'assets/large.bin': new Uint8Array(LARGE_BYTES) });
  await using stopping = await startTestInstance({ web: large.path });
  const url = webAddressOf(stopping);
  using unread = await RawConnection.connect(url);
  await unread.send(requestLines('GET', '/assets/large.bin'));
  await unread.line();
  const stopped = stopping.stop();
  expect((await unread.rest()).length).toBeGreaterThan(LARGE_BYTES);
  await stopped;
  await expect(fetch(url)).rejects.toThrow();
});
