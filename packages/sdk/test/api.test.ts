import { lobbyMessageSchema } from '@hearth/protocol/schemas';
import { expect, expectTypeOf, test } from 'bun:test';
import {
  connect,
  UnexpectedAnswerError,
  type ApiRequest,
  type Method,
  type PathParams,
} from '../src/index.ts';
import { startDocumentedServer } from '@hearth/testing/clients/documented-server';

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly contentType: string | null;
  readonly body: string;
}

/** A client of a server that has further routes, and answers them with an author. */
async function extended() {
  const asked: Asked[] = [];
  const server = startDocumentedServer({
    path: '/api',
    answer: async (request) => {
      const { pathname, search } = new URL(request.url);
      if (pathname === '/api/') return undefined;
      const { method, headers } = request;
      const contentType = headers.get('Content-Type');
      const path = `${pathname}${search}`;
      asked.push({ method, path, contentType, body: await request.text() });
      return Response.json({ author: 'ada', more: true });
    },
  });
  const client = await connect(server.url);
  return {
    client,
    asked,
    async [Symbol.asyncDispose]() {
      await client.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

const answers = lobbyMessageSchema.pick({ author: true });
const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

test.each(methods)('a request may have the method %s', async (method) => {
  await using one = await extended();
  const answer = await one.client.rest.request({ method, path: '/things', limit: 'info', answers });
  expectTypeOf(answer).toEqualTypeOf<{ author: string }>();
  expect(answer).toEqual({ author: 'ada' });
  expect(one.asked).toEqual([{ method, path: '/api/things', contentType: null, body: '' }]);
});

test('a request carries path parameters, a query and a JSON body', async () => {
  await using one = await extended();
  await one.client.rest.request({
    method: 'PATCH',
    path: '/channels/:channel_id/messages/:id',
    params: { channel_id: '1', id: 'a/b ?#ü' },
    query: { limit: 5, under: undefined, name: 'x&y', deep: true },
    body: { content: 'ä', icon: null },
    limit: 'info',
    answers,
  });
  expect(one.asked).toEqual([
    {
      method: 'PATCH',
      path: '/api/channels/1/messages/a%2Fb%20%3F%23%C3%BC?limit=5&name=x%26y&deep=true',
      contentType: 'application/json',
      body: '{"content":"ä","icon":null}',
    },
  ]);
});

test('a path parameter is a whole segment after a colon, as in the routes of the server', async () => {
  await using one = await extended();
  const path = '/at:once/:id2/:place';
  const params = { id2: '7', place: 'x' };
  await one.client.rest.request({ method: 'GET', path, params, limit: 'info', answers });
  expect(one.asked.map((asked) => asked.path)).toEqual(['/api/at:once/7/x']);
});

test.each(['', '.', '..'])(
  'a path parameter cannot be %j, which would change the path',
  async (id) => {
    await using one = await extended();
    const request = one.client.rest.request({
      method: 'DELETE',
      path: '/posts/:id',
      params: { id },
      limit: 'info',
      answers,
    });
    expect(await request.catch((error: unknown) => error)).toBeInstanceOf(TypeError);
    expect(one.asked).toEqual([]);
  },
);

test('an answer that does not fit the schema is an UnexpectedAnswerError', async () => {
  await using one = await extended();
  const error = await one.client.rest
    .request({ method: 'GET', path: '/', limit: 'info', answers: lobbyMessageSchema })
    .catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(UnexpectedAnswerError);
});

test('the parameters of a request are those named in its path', () => {
  expectTypeOf<PathParams<'/posts/:id'>>().toEqualTypeOf<Readonly<Record<'id', string>>>();
  expectTypeOf<PathParams<'/channels/:channel_id/posts/:id'>>().branded.toEqualTypeOf<
    Readonly<Record<'channel_id' | 'id', string>>
  >();
  expectTypeOf<PathParams<'/posts'>>().toBeUnknown();
  expectTypeOf<ApiRequest<'/posts', unknown>['params']>().toEqualTypeOf<undefined>();
});
