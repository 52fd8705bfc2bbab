import { describe, expect, test } from 'bun:test';
import { METHODS, Router } from './router.ts';

const router = new Router<string>();
router.add('GET', '/', 'root');
router.add('GET', '/users/:id', 'one user');
router.add('PATCH', '/users/:user', 'change a user');
router.add('GET', '/users/me', 'myself');
router.add('DELETE', '/users/me', 'delete myself');
router.add('PUT', '/channels/:channel_id/messages/:id', 'set');
router.add('GET', '/:bucket/:file', 'file');
router.add('POST', '/:bucket', 'upload');

describe('a route is found', () => {
  test.each([
    ['GET', '/', 'root', undefined],
    ['GET', '/users/7', 'one user', { id: '7' }],
    ['PUT', '/channels/1/messages/2', 'set', { channel_id: '1', id: '2' }],
    ['GET', '/pictures/7', 'file', { bucket: 'pictures', file: '7' }],
  ])('by its method and path: %s %s', (method, path, target, params) => {
    expect(router.find(method, path)).toEqual(
      params === undefined ? { target } : { target, params },
    );
  });

  test('without parameters before one with them, whichever was added first', () => {
    expect(router.find('GET', '/users/me')?.target).toBe('myself');
    expect(router.find('GET', '/users/you')?.target).toBe('one user');
  });

  test('by the next matching path if the first one lacks the method', () => {
    expect(router.find('PATCH', '/users/me')).toEqual({
      target: 'change a user',
      params: { user: 'me' },
    });
  });

  test.each([
    ['GET', '/users'],
    ['GET', '/users/7/more'],
    ['POST', '/users/7'],
    ['PUT', '/channels//messages/2'],
    ['POST', '/'],
    ['HEAD', '/'],
    ['constructor', '/'],
    ['GET', '/users/7/'],
  ])('and no other: %s %s', (method, path) => {
    expect(router.find(method, path)).toBeUndefined();
  });
});

test('[HT7] parameters are decoded once, as far as they can be', () => {
  const nameIn = (path: string) => router.find('GET', path)?.params?.['file'];
  expect(nameIn('/b/a%20b%252F')).toBe('a b%2F');
  expect(nameIn('/b/50%%20off')).toBe('50% off');
  expect(nameIn('/b/%ff%E2%82%AC')).toBe('%ff%E2%82%AC');
  expect(nameIn('/b/%ff-%E2%82%AC')).toBe('%ff-€');
});

test('the methods of a path are those of all paths that match it', () => {
  expect(router.methodsOf('/users/me')).toEqual(['GET', 'PATCH', 'DELETE']);
  expect(router.methodsOf('/users/7')).toEqual(['GET', 'PATCH']);
  expect(router.methodsOf('/channels/1/messages/2')).toEqual(['PUT']);
  expect(router.methodsOf('/a/b/c')).toEqual([]);
});

test('every method can be routed', () => {
  const every = new Router<string>();
  for (const method of METHODS) every.add(method, '/thing', method);
  for (const method of METHODS) expect(every.find(method, '/thing')).toEqual({ target: method });
  expect(every.fixedPaths('POST')).toEqual([['/thing', 'POST']]);
});
