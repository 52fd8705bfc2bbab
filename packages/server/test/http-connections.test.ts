import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Addresses } from '../src/context.ts';
import { startLimitedInstance } from './support/limited-instance.ts';
import { RawConnection, requestLines } from './support/raw-http.ts';
import { startTestInstance, type TestInstance } from './support/test-instance.ts';

const DESCRIPTORS = 256;
const MESSAGE = '{"author":"ada","content":"x"}';

/** An address at each of the three doors. */
function doors({ rest, files, gateway }: Addresses): readonly string[] {
  return [rest, `${files}/none`, gateway.replace('ws:', 'http:')];
}

const getLines = (url: string) => requestLines('GET', new URL(url).pathname);
const messageLines = requestLines('POST', '/messages', `Content-Length: ${MESSAGE.length}`);

describe('[HT9] a connection is cut in the end', () => {
  let instance: TestInstance;

  beforeAll(async () => {
    instance = await startTestInstance();
  });

  afterAll(() => instance[Symbol.asyncDispose]());

  /** Says `text` on a connection to each of `urls` and nothing more. Resolves when all are cut, with what they were answered. */
  async function untilCut(urls: readonly string[], textFor: (url: string) => string) {
    return Promise.all(
      urls.map(async (url) => {
        using connection = await RawConnection.connect(url);
        await connection.send(textFor(url));
        return (await connection.rest()).split('\r\n', 1)[0];
      }),
    );
  }

  // Together, because each takes its 10 seconds. Were the runtime to wait for longer, the test would run out of time.
  test('that says nothing, half a head, half a body, or nothing behind a request', async () => {
    const { rest } = instance.addresses;
    const urls = doors(instance.addresses);
    const [silent, halfHead, halfBody, resting] = await Promise.all([
      untilCut(urls, () => ''),
      untilCut(urls, () => 'GET / HTTP/1.1\r\nHost: h'),
      untilCut([rest], () => messageLines + MESSAGE.slice(0, 10)),
      untilCut(urls, getLines),
    ]);
    expect([...silent, ...halfHead, ...halfBody].join('')).toBe('');
    expect(resting).toEqual([
      'HTTP/1.1 200 OK',
      'HTTP/1.1 404 Not Found',
      'HTTP/1.1 426 Upgrade Required',
    ]);
  }, 20_000);
});

test('[HT9] connections that rest between two requests give way when descriptors run short', async () => {
  await using instance = await startLimitedInstance(DESCRIPTORS);
  using resting = new DisposableStack();
  const urls = doors(instance.addresses);
  for (const url of urls) {
    for (let count = 0; count < DESCRIPTORS; count += 1) {
      const connection = resting.use(await RawConnection.connect(url));
      await connection.send(getLines(url));
      await connection.answer();
    }
  }
  const answers = await Promise.all(urls.map((url) => fetch(url)));
  expect(answers.map(({ status }) => status)).toEqual([200, 404, 426]);
});
