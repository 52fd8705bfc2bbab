import { afterEach, describe, expect, test } from 'bun:test';
import {
  connect,
  HearthError,
  memoryTokens,
  NetworkError,
  UnauthorizedError,
  type Client,
  type ClientOptions,
  type TokenStorage,
} from '../src/index.ts';
import {
  startDocumentedServer,
  type DocumentedServer,
} from '@hearth/testing/clients/documented-server';

const MESSAGE = { author: 'ada', content: 'good evening' };
const UNAUTHORIZED = { status: 401, message: 'No', data: { code: 'token_ended' } };

let ended: AsyncDisposable[] = [];

function tokensOf(read: TokenStorage['read']): TokenStorage {
  return { read, write: () => undefined };
}

afterEach(async () => {
  for (const one of ended.toReversed()) await one[Symbol.asyncDispose]();
  ended = [];
});

interface Guarded {
  readonly client: Client;
  readonly server: DocumentedServer;
  /** Method, path and Authorization of every request. */
  readonly asked: string[];
}

/** A server that accepts every request without a token, and no token but `accepted`. */
async function guarded(
  accepted: string | undefined,
  options: ClientOptions,
  answer?: (request: Request) => Response | undefined,
): Promise<Guarded> {
  const asked: string[] = [];
  const server = startDocumentedServer({
    answer: (request) => {
      const { pathname } = new URL(request.url);
      const authorization = request.headers.get('Authorization');
      asked.push(`${request.method} ${pathname} ${authorization ?? '-'}`);
      if (authorization !== null && authorization !== `Bearer ${accepted}`) {
        return Response.json(UNAUTHORIZED, { status: 401 });
      }
      return answer?.(request);
    },
  });
  ended.push(server);
  const client = await connect(server.url, options);
  ended.push(client);
  return { client, server, asked };
}

describe('the token', () => {
  test('the token goes with every request to the REST and the file service, and with nothing else', async () => {
    const { client, server, asked } = await guarded('t.1', { tokens: tokensOf(async () => 't.1') });
    await client.open();
    await client.send(MESSAGE);
    await client.rest.info();
    await client.rest.rateLimits();
    await client.files.upload(new Blob(['hello']));
    await client.files.data('1');
    await (await client.files.fetch('1')).blob();
    expect(asked).toEqual([
      // This one finds out what the instance is: it also has to succeed with an expired token.
      'GET / -',
      'POST /messages Bearer t.1',
      'GET / Bearer t.1',
      'GET /rate_limits Bearer t.1',
      'POST /attachments Bearer t.1',
      'GET /1/data Bearer t.1',
      'GET /1/download Bearer t.1',
    ]);
    expect(server.seen.join(' ')).not.toContain('t.1');
  });

  test.each([undefined, ''])('the token is left out if the storage returns %j', async (token) => {
    const { client, asked } = await guarded(undefined, { tokens: tokensOf(() => token) });
    await client.send(MESSAGE);
    expect(asked.at(-1)).toBe('POST /messages -');
  });

  test('the token is requested when the request is sent, not when it begins to wait', async () => {
    let asks = 0;
    const asksAtAnswers: number[] = [];
    const token = () => {
      asks += 1;
      return 't';
    };
    const { client } = await guarded('t', { tokens: tokensOf(token) }, ({ method }) => {
      if (method === 'POST') asksAtAnswers.push(asks);
      return undefined;
    });
    // connect() has asked for the age of the token.
    expect(asks).toBe(1);
    // Messages go one by one.
    await Promise.all([1, 2, 3].map(() => client.send(MESSAGE)));
    expect(asksAtAnswers).toEqual([2, 3, 4]);
  });
});

describe('a token that is refused', () => {
  test('a token is replaced by another one, once, and the request is sent again in its place', async () => {
    const refusals: (string | undefined)[] = [];
    let valid = 'old';
    const token = (refused?: string) => {
      refusals.push(refused);
      if (refused !== undefined) valid = 'new';
      return valid;
    };
    const { client, server } = await guarded('new', { tokens: tokensOf(token) });
    const contents = ['1', '2', '3'];
    await Promise.all(contents.map((content) => client.send({ ...MESSAGE, content })));
    // connect() has asked first, for the age of the token.
    expect(refusals).toEqual([undefined, undefined, 'old', undefined, undefined]);
    expect(server.bodies).toEqual(contents.map((content) => ({ ...MESSAGE, content })));
  });

  test('a token is also replaced for an upload, whose file is sent again', async () => {
    const { client } = await guarded('new', {
      tokens: tokensOf((refused) => (refused ? 'new' : 'old')),
    });
    const { id } = await client.files.upload(new Blob(['hello']));
    expect(await (await (await client.files.fetch(id)).blob()).text()).toBe('hello');
  });

  test.each([
    ['returns the same one', () => 'old', 1],
    ['returns none', (refused?: string) => (refused === undefined ? 'old' : undefined), 1],
    ['returns one that is also refused', (refused = '') => `${refused}x`, 2],
  ])('the error is an UnauthorizedError if the storage %s', async (_what, token, times) => {
    const { client, asked } = await guarded('new', { tokens: tokensOf(token) });
    const error = await client.send(MESSAGE).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(UnauthorizedError);
    expect(error).toMatchObject({ status: 401, code: 'token_ended' });
    expect(asked.filter((line) => line.startsWith('POST'))).toHaveLength(times);
  });
});

test('a redirect is not followed with a token, so that no other origin gets it', async () => {
  const elsewhere: (string | null)[] = [];
  const other = Bun.serve({
    port: 0,
    fetch: (request) => {
      elsewhere.push(request.headers.get('Authorization'));
      return Response.json(MESSAGE);
    },
  });
  const redirect = (request: Request) =>
    new URL(request.url).pathname === '/'
      ? undefined
      : Response.redirect(`http://127.0.0.1:${other.port}/x`, 307);
  const { client } = await guarded('t', { tokens: memoryTokens('t') }, redirect);
  const requests = [
    () => client.send(MESSAGE),
    () => client.rest.rateLimits(),
    () => client.files.upload(new Blob(['hello'])),
    () => client.files.data('1'),
    () => client.files.fetch('1'),
  ];
  for (const request of requests) {
    expect(await request().catch((reason: unknown) => reason)).toBeInstanceOf(NetworkError);
  }
  expect(elsewhere).toEqual([]);
  await other.stop(true);
});

describe('a storage', () => {
  test('that fails makes its request fail with its own error, and others go on', async () => {
    const failure = new Error('no key chain');
    let fails = true;
    const token = () => {
      if (fails) throw failure;
      return 't';
    };
    const { client } = await guarded('t', { tokens: tokensOf(token) });
    expect(await client.send(MESSAGE).catch((reason: unknown) => reason)).toBe(failure);
    fails = false;
    expect(await client.send(MESSAGE)).toEqual(MESSAGE);
  });

  test('that takes long does not hold up an abort', async () => {
    const abort = new AbortController();
    const asked = Promise.withResolvers<void>();
    const token = () => {
      asked.resolve();
      return new Promise<string>(() => undefined);
    };
    const { client } = await guarded('t', { tokens: tokensOf(token) });
    const sending = client.send(MESSAGE, { signal: abort.signal });
    await asked.promise;
    abort.abort(new Error('enough'));
    expect(await sending.catch((reason: unknown) => reason)).toMatchObject({ message: 'enough' });
  });

  test('that takes long to forget a refused token causes no error that nobody can catch', async () => {
    const abort = new AbortController();
    const forgetting = Promise.withResolvers<void>();
    const tokens: TokenStorage = {
      read: () => 'refused',
      write: () => {
        forgetting.resolve();
        return new Promise<void>(() => undefined);
      },
    };
    const { client } = await guarded(undefined, { tokens });
    const sending = client.send(MESSAGE, { signal: abort.signal });
    await forgetting.promise;
    abort.abort(new Error('enough'));
    expect(await sending.catch((reason: unknown) => reason)).toBeInstanceOf(UnauthorizedError);
  });

  test.each(['secret\n', 'secret x', 'sécret'])(
    'that returns a token which no header may carry causes an error that does not quote it: %j',
    async (token) => {
      const { client, asked } = await guarded('t', { tokens: tokensOf(() => token) });
      const error = await client.send(MESSAGE).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(HearthError);
      expect(Bun.inspect(error)).not.toContain(token.trim());
      expect(asked).toHaveLength(1);
    },
  );
});
