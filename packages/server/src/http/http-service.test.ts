import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readError } from '@hearth/testing/clients/read-error';
import { openTestContext } from '@hearth/testing/instances/test-context';
import type { OwnerContext } from '../instance.ts';
import type { Handle, Peer } from '../runtime/peer.ts';
import type { Caller } from './caller.ts';
import { httpServiceOf, type HttpService } from './http-service.ts';
import { httpHandlers } from './handlers.ts';
import { json } from './respond.ts';

const PEER: Peer = {
  address: '192.0.2.1',
  isCrowded: false,
  allowSilence() {},
  beginTransfer: () => true,
};
const CALLER: Caller = { client: 'client 192.0.2.1', basePath: '', peer: PEER };

let ctx: OwnerContext;
let service: HttpService;
let handle: Handle;
let posts: Readonly<Record<string, Handle>> | undefined;

beforeAll(async () => {
  ctx = await openTestContext();
  const describeCall = async (request: Request, caller: Caller) =>
    json({ method: request.method, client: caller.client, body: await request.text() });
  service = httpServiceOf(ctx, [
    { method: 'GET', path: '/', answer: describeCall },
    { method: 'POST', path: '/messages', answer: describeCall },
    { method: 'GET', path: '/both', answer: describeCall },
    { method: 'POST', path: '/both', answer: (_request, { client }) => json({ posted: client }) },
  ]);
  ({ handle, posts } = httpHandlers(service, (_request, address) => `client ${address}`));
});

afterAll(() => ctx[Symbol.asyncDispose]());

/** Status, headers and text of an answer, without the time at which it was made. */
async function whole(answer: Response) {
  answer.headers.delete('date');
  return { status: answer.status, headers: [...answer.headers], text: await answer.text() };
}

async function answerTo(method: string, path: string, body?: string): Promise<Response> {
  const init = { method, ...(body === undefined ? {} : { body }) };
  return handle(new Request(`http://h${path}`, init), PEER);
}

describe('a route without parameters', () => {
  test.each<[method: string, path: string, body?: string]>([
    ['GET', '/'],
    ['GET', '/both'],
    ['POST', '/messages', 'a text'],
  ])('a route passes the request and its caller to %s of %s', async (method, path, body = '') => {
    const answer = await answerTo(method, path, body === '' ? undefined : body);
    expect(await answer.json()).toEqual({ method, client: CALLER.client, body });
  });

  test('a route can be found by the runtime itself if it has POST', async () => {
    expect(Object.keys(posts ?? {})).toEqual(['/messages', '/both']);
    const answer = await posts?.['/both']?.(new Request('http://h/both', { method: 'POST' }), PEER);
    expect(await answer?.json()).toEqual({ posted: CALLER.client });
  });

  test('a route for GET is another one than a route for POST of the same path', async () => {
    expect(await (await answerTo('GET', '/both')).json()).toMatchObject({ method: 'GET' });
    expect(await (await answerTo('POST', '/both')).json()).toEqual({ posted: CALLER.client });
  });

  test.each(['/', '/both', '/both?x=1', '//both/'])(
    '[HT4] HEAD of %s is answered as GET, with its status and its headers',
    async (path) => {
      const [get, head] = [await answerTo('GET', path), await answerTo('HEAD', path)];
      expect(await whole(head)).toEqual(await whole(get));
    },
  );

  test.each([
    ['GET', '/messages', 'POST, OPTIONS'],
    ['HEAD', '/messages', 'POST, OPTIONS'],
    ['POST', '/', 'GET, HEAD, OPTIONS'],
    ['PUT', '/', 'GET, HEAD, OPTIONS'],
    ['DELETE', '/both', 'GET, HEAD, POST, OPTIONS'],
    ['PROPFIND', '//both/', 'GET, HEAD, POST, OPTIONS'],
  ])('[HT5] %s of %s is answered with 405, which allows %s', async (method, path, allow) => {
    const answer = await answerTo(method, path);
    expect(answer.headers.get('allow')).toBe(allow);
    expect((await readError(answer)).status).toBe(405);
  });

  test.each(['//messages', '/messages/', '//messages//', '/messages?x=/', '/messages/?/'])(
    '[HT6] a route is found however many slashes are in its path: %s',
    async (path) => {
      expect(await (await answerTo('POST', path, 'x')).json()).toMatchObject({ body: 'x' });
    },
  );
});

test.each([
  ...['/nowhere', '/messages/1', '/Both', '/both;x', '/%62oth', '/both%2f', '/*', '/:id'],
  ...['/__proto__', '/constructor', '/toString', '/hasOwnProperty', '/prototype', '/undefined'],
])('[HT5] any other path is answered with a NotFoundError: %s', async (path) => {
  for (const method of ['GET', 'POST']) {
    expect((await readError(await answerTo(method, path))).status).toBe(404);
  }
});

test('an answer that does not have to wait is returned at once', () => {
  const request = new Request('http://h/both', { method: 'POST' });
  expect(handle(request, PEER)).toBeInstanceOf(Response);
});
