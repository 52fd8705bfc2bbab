import { NotFoundError, RateLimitedError, ServerError } from '@hearth/protocol';
import { failureOf } from '@hearth/testing/failure-of';
import { describe, expect, test } from 'bun:test';
import { Documents } from './documents.ts';
import type { FindShown } from './shown.ts';

const PATIENT = { client: '192.0.2.1', params: {}, patienceMs: 60_000 };

const documents = (publicUrl?: string) => new Documents({ instanceName: 'Hearth', publicUrl });

/** Something that says so much, and how often it was rendered. */
function saying(text: string) {
  const rendered = { times: 0 };
  const find: FindShown = async () => ({
    of: [text],
    async render(to) {
      rendered.times += 1;
      return { contentType: 'text/plain', text: `${text} ${to.at('/x')}` };
    },
  });
  return { rendered, find };
}

test('[SY2][SY6] a page that does not exist is distinguished from one that cannot be read', async () => {
  const found = (error: Error) =>
    documents().at({ ...PATIENT, path: '/', find: () => Promise.reject(error) });
  expect(await found(new NotFoundError())).toBeUndefined();
  for (const fault of [new ServerError('Finding the post'), new Error('the database is away')]) {
    expect(await failureOf(found(fault))).toBe(fault);
  }
});

test('[SY6] a page waits for a slow database for a bounded time, and no longer', async () => {
  const find = () => new Promise<never>(() => {});
  expect(await documents().at({ ...PATIENT, path: '/', find, patienceMs: 1 })).toBe('late');
});

describe('[SY8] a rendered document', () => {
  test('a document is kept as long as what it is made of stays the same', async () => {
    const own = documents();
    const [one, other] = [saying('one'), saying('other')];
    for (const path of ['/a', '/b', '/a']) {
      for (const { find } of [one, other]) await own.at({ ...PATIENT, path, find });
    }
    expect([one.rendered.times, other.rendered.times]).toEqual([1, 1]);
  });

  test('a document has the public address, or that by which the instance is asked, which its tag does not depend on', async () => {
    const { find } = saying('one');
    const at = async (own: Documents) => {
      const found = await own.at({ ...PATIENT, path: '/', find });
      if (found === undefined || found === 'late' || !('text' in found)) throw new Error('missing');
      return { tag: found.tag, text: (webUrl: string) => own.addressed(found.text, webUrl) };
    };
    const [known, first, second] = await Promise.all(
      [documents('https://home.example/below/'), documents(), documents()].map(at),
    );
    expect(known?.text('https://home.example/below')).toBe('one https://home.example/below/x');
    for (const host of ['http://a', 'http://[::1]:7162', '']) {
      expect(first?.text(host)).toBe(`one ${host}/x`);
    }
    expect(first?.tag).toBe(second?.tag ?? '');
  });

  test.each([
    [2_500, 1],
    [20, 1_000_000],
  ])(
    'a document is dropped when %i others of %i characters were asked for since',
    async (count, size) => {
      const own = documents();
      const first = saying('first');
      const ask = (find: FindShown) => own.at({ ...PATIENT, path: '/', find });
      await ask(first.find);
      for (let at = 0; at < count; at += 1) await ask(saying(`${at} ${'x'.repeat(size)}`).find);
      await ask(first.find);
      expect(first.rendered.times).toBe(2);
    },
  );
});

test('[SY9] a client with many requests holds up no other, and is refused if too many of its documents wait', async () => {
  const own = documents();
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const asked = Array.from({ length: 68 }, (_, at) =>
    own.at({ ...PATIENT, path: `/${at}`, find: () => promise }),
  );
  const { find } = saying('other');
  const refusal = await failureOf(own.at({ ...PATIENT, path: '/one', find }));
  expect(refusal).toBeInstanceOf(RateLimitedError);
  expect(await own.at({ ...PATIENT, client: '192.0.2.2', path: '/', find })).toMatchObject({
    contentType: 'text/plain',
  });
  resolve(undefined);
  expect(await Promise.all(asked)).toEqual(Array(68).fill(undefined));
  expect(await own.at({ ...PATIENT, path: '/one', find })).toBeDefined();
});
