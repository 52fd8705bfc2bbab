import { expect, test } from 'bun:test';
import { signal } from '@preact/signals';
import {
  createClient,
  NetworkError,
  ValidationError,
  type BucketName,
  type Capabilities,
  type Client,
  type ClientEvents,
  type ConnectionState,
  type LimitState,
} from '@hearth/sdk';
import { manualClock, settled } from '@hearth/testing/manual-clock';
import { MemoryStorage } from '../../../test/support/memory-storage.ts';
import type { Storages } from '../../lib/storage.ts';
import { OutboxStore } from './outbox-store.ts';
import { Outbox } from './outbox.ts';

const CURRENT: ConnectionState = { state: 'open', profile: 1, isCurrent: true };
const GATEWAY_AWAY: ConnectionState = {
  state: 'waiting',
  attempt: 1,
  retryAtMs: 0,
  reason: 'server_error',
};
const HEARTH = '0.3.2+hearth.0.1.0';

const CAPABILITIES: Capabilities = {
  profiles: [0, 1],
  features: ['history', 'nonce'],
  registration: 'closed',
  lobby: 'open',
  limits: {
    message_limit: 2048,
    nonce_limit: 64,
    page_limit: 100,
    file_size: 1,
    attachment_file_size: 1,
    media_sizes: [],
  },
};

const NO_LIMIT: LimitState = {
  limit: undefined,
  used: 0,
  resetsAtMs: 0,
  freeAtMs: 0,
  waiting: 0,
  repeating: 0,
  byteLimit: undefined,
  sentBytes: 0,
};

interface Posted {
  readonly author: string;
  readonly content: string;
  readonly nonce?: string;
}

/** A server's answer to a post; undefined breaks the connection. */
type Answer = (message: Posted) => Response | undefined | Promise<Response>;

const takes: Answer = ({ author, content }) => Response.json({ author, content });

/** Accepts a message, and says that there is no room for another for five seconds. */
const limited: Answer = (message) =>
  Response.json(
    { author: message.author, content: message.content },
    {
      headers: {
        'X-RateLimit-Max': '1',
        'X-RateLimit-Reset': '5000',
        'x-RateLimit-Request-Count': '1',
        'x-RateLimit-Last-reset': '1800000000000',
        Date: new Date(1_800_000_000_000).toUTCString(),
      },
    },
  );

const BROKEN_OFF = 'broken off';

/** The runtime's own fetch, except that some answers are lost on the way; the others come with their body. */
async function breakable(url: string, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  const text = await response.text();
  if (text === BROKEN_OFF) throw new TypeError('fetch failed');
  return new Response(text, response);
}

/** An outbox that posts to a server of its own, in a page with these `storages`. */
function start(options: { answer?: Answer; version?: string; storages?: Storages } = {}) {
  const posted: Posted[] = [];
  let answer = options.answer ?? takes;
  let answered = 0;
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const message: Posted = JSON.parse(await request.text());
      posted.push(message);
      return (await answer(message)) ?? new Response(BROKEN_OFF);
    },
  });
  const clock = manualClock();
  const url = `http://127.0.0.1:${server.port}`;
  const client = createClient(
    {
      instance_name: 'Test',
      description: null,
      version: options.version ?? HEARTH,
      message_limit: 2048,
      oprish_url: url,
      pandemonium_url: url.replace('http', 'ws'),
      effis_url: url,
      file_size: 1,
      attachment_file_size: 1,
    },
    {
      clock,
      capabilities: options.version === undefined ? CAPABILITIES : undefined,
      async fetch(url, init) {
        const response = await breakable(url, init);
        answered += 1;
        return response;
      },
    },
  );
  const storages = options.storages ?? { local: new MemoryStorage(), session: new MemoryStorage() };
  const author = signal('ada');
  const connection = signal<ConnectionState>(CURRENT);
  const isReachable = signal(true);
  const store = new OutboxStore(storages, 'test', clock);
  const ownNonces = new Set<string>();
  const gapListeners = new Set<() => void>();
  let onLimit: (event: ClientEvents['limit']) => void = () => {};
  const on: Client['on'] = (name, listener) => {
    // Guarantee: the event has this name.
    if (name === 'limit') onLimit = listener as typeof onLimit;
    // Guarantee: the outbox does not look at a gap.
    if (name === 'gap') gapListeners.add(listener as () => void);
    return client.on(name, listener);
  };
  const send: Client['send'] = (...sent) => client.send(...sent);
  const { isHearth } = client;
  const slowUntilMs = signal(0);
  const outbox = new Outbox({
    ...{ client: { isHearth, on, send }, author, connection, isReachable, store, ownNonces, clock },
    slowUntilMs,
  });
  return {
    slowUntilMs,
    ...{ outbox, posted, clock, author, connection, isReachable, store, storages, ownNonces },
    states: () =>
      outbox.pending.value.map(({ content, delivery }) => `${content} ${delivery.state}`),
    /** Returns how many answers have come. */
    answered: () => answered,
    answers: (next: Answer) => void (answer = next),
    /** The client reports when a limit has room again. */
    limit: (bucket: BucketName, freeAtMs: number) =>
      onLimit({ bucket, state: { ...NO_LIMIT, freeAtMs } }),
    /** Messages are missing that nothing can bring back. */
    gap: () => gapListeners.forEach((notify) => notify()),
    /** The connection breaks, and is back. */
    reconnect() {
      connection.value = { state: 'connecting', attempt: 1 };
      connection.value = CURRENT;
    },
    [Symbol.asyncDispose]: async () => {
      outbox[Symbol.dispose]();
      store[Symbol.dispose]();
      await client.close();
      await server.stop(true);
    },
  };
}

/** Waits until `condition` holds, which events on a socket bring about. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await settled();
}

const live = (message: Posted) => ({
  ...message,
  nonce: message.nonce,
  createdAtMs: 1_800_000_000_000,
});

test('a message is shown at once, and leaves the outbox when it comes back with its nonce', async () => {
  await using page = start();
  expect(page.outbox.send('hello')).toBe(true);
  expect(page.states()).toEqual(['hello sending']);
  await until(() => page.posted.length === 1);
  const [message] = page.posted;
  expect(message).toMatchObject({ author: 'ada', content: 'hello' });
  expect(message?.nonce).toBe(page.outbox.pending.value[0]?.key);
  expect([...page.ownNonces]).toEqual([message?.nonce ?? '']);
  page.outbox.settle(live(message ?? { author: '', content: '' }));
  expect(page.states()).toEqual([]);
});

test('[WC68] messages arrive in the order in which they were sent, one after the other', async () => {
  let running = 0;
  let mostRunning = 0;
  await using page = start({
    answer: async (message) => {
      mostRunning = Math.max(mostRunning, ++running);
      await settled();
      running -= 1;
      return Response.json({ author: message.author, content: message.content });
    },
  });
  const contents = Array.from({ length: 8 }, (_, index) => `message ${index}`);
  for (const content of contents) page.outbox.send(content);
  await until(() => page.posted.length === contents.length);
  expect(page.posted.map(({ content }) => content)).toEqual(contents);
  expect(mostRunning).toBe(1);
});

test('[WC68] messages written without a connection wait for it, in order', async () => {
  await using page = start();
  page.isReachable.value = false;
  page.outbox.send('one');
  page.outbox.send('two');
  await settled();
  expect(page.states()).toEqual(['one waiting', 'two waiting']);
  expect(page.outbox.pending.value[0]?.delivery).toEqual({ state: 'waiting', untilMs: undefined });
  expect(page.posted).toEqual([]);
  page.isReachable.value = true;
  await until(() => page.posted.length === 2);
  expect(page.posted.map(({ content }) => content)).toEqual(['one', 'two']);
});

test('a message that the limit holds back shows until when it waits, and is known not to have been sent', async () => {
  await using page = start({ answer: limited });
  page.outbox.send('first');
  page.outbox.send('second');
  await until(() => page.outbox.freeAtMs.value > page.clock.now());
  await settled();
  const untilMs = page.outbox.freeAtMs.value;
  expect(untilMs - page.clock.now()).toBeWithin(4000, 7000);
  expect(page.outbox.pending.value.at(-1)?.delivery).toEqual({ state: 'waiting', untilMs });
  expect(page.posted).toHaveLength(1);
  await page.clock.advance(untilMs - page.clock.now());
  await until(() => page.posted.length === 2);
});

test('[WC399][WC399b] a message to a busy place waits here, as often as it is refused, and then goes before later ones', async () => {
  const busy: Answer = () =>
    Response.json(
      { status: 429, message: 'Too much', data: { retry_after: 1_000, code: 'busy' } },
      { status: 429 },
    );
  await using page = start({ answer: busy });
  page.outbox.send('first');
  page.outbox.send('second');
  for (let times = 1; times <= 20; times += 1) {
    await until(() => page.outbox.freeAtMs.value > page.clock.now());
    const untilMs = page.outbox.freeAtMs.value;
    expect(page.outbox.pending.value[0]?.delivery).toEqual({ state: 'waiting', untilMs });
    expect(page.posted).toHaveLength(times);
    if (times === 20) page.answers(takes);
    await page.clock.advance(untilMs - page.clock.now());
  }
  await until(() => page.posted.length === 22);
  const contents = page.posted.map(({ content }) => content);
  expect(contents).toEqual([...Array.from({ length: 21 }, () => 'first'), 'second']);
  expect(new Set(page.posted.map(({ nonce }) => nonce)).size).toBe(2);
});

test('what the page says of limits is that of messages, without an account and with one', async () => {
  await using page = start();
  page.limit('message_create', 1_000);
  expect(page.outbox.freeAtMs.value).toBe(1_000);
  page.limit('message_send', 2_000);
  page.limit('list', 3_000);
  expect(page.outbox.freeAtMs.value).toBe(2_000);
});

test('a refused text has failed permanently, and does not hold up others', async () => {
  const data = { field_name: 'content', error: 'must be text' };
  await using page = start({
    answer: (message) =>
      message.content === 'bad'
        ? Response.json({ status: 422, message: 'Invalid', data }, { status: 422 })
        : takes(message),
  });
  page.outbox.send('bad');
  page.outbox.send('good');
  await until(() => page.posted.length === 2);
  await settled();
  const { delivery } = page.outbox.pending.value[0] ?? {};
  expect(delivery).toMatchObject({ state: 'failed', isRetryable: false });
  expect(delivery?.state === 'failed' && delivery.error).toBeInstanceOf(ValidationError);
  page.outbox.discard(page.outbox.pending.value[0]?.key ?? '');
  expect(page.states()).toEqual(['good sending']);
});

test('a message with a refused name is sent again under the name chosen since', async () => {
  const data = { field_name: 'author', error: 'must be text' };
  await using page = start({
    answer: (message) =>
      message.author === 'ada'
        ? Response.json({ status: 422, message: 'Invalid', data }, { status: 422 })
        : takes(message),
  });
  page.outbox.send('hello');
  await until(() => page.states()[0] === 'hello failed');
  expect(page.outbox.pending.value[0]?.delivery).toMatchObject({ isRetryable: true });
  const key = page.outbox.pending.value[0]?.key ?? '';
  page.author.value = 'grace';
  page.outbox.retry(key);
  await until(() => page.posted.length === 2);
  expect(page.posted[1]).toEqual({ author: 'grace', content: 'hello', nonce: key });
});

test('a message can be tried again after a failure of the instance or any other error', async () => {
  const failed = Response.json(
    { status: 500, message: 'The server failed', data: { error: 'it' } },
    { status: 500 },
  );
  await using page = start({ answer: () => failed.clone() });
  page.outbox.send('hello');
  await until(() => page.states()[0] === 'hello failed');
  expect(page.outbox.pending.value[0]?.delivery).toMatchObject({ isRetryable: true });
  page.answers(() => new Response('<h1>Bad gateway</h1>', { status: 502 }));
  page.outbox.retry(page.outbox.pending.value[0]?.key ?? '');
  await until(() => page.posted.length === 2 && page.states()[0] === 'hello failed');
  expect(page.outbox.pending.value[0]?.delivery).toMatchObject({ isRetryable: true });
});

test('a message whose post broke off is sent again on Hearth, once it would have come back', async () => {
  await using page = start({ answer: () => undefined });
  page.outbox.send('hello');
  await until(() => page.states()[0] === 'hello waiting');
  page.answers(takes);
  page.reconnect();
  await page.clock.advance(2900);
  expect(page.states()).toEqual(['hello waiting']);
  await page.clock.advance(200);
  await until(() => page.posted.length === 2);
  expect(page.posted[1]).toEqual(page.posted[0]);
});

test.each([
  ['messages in the meantime were read from the history', { ...CURRENT, isCurrent: false }, 0],
  ['messages are missing', CURRENT, 1],
] as const)(
  'a message whose post broke off is not sent again by itself if %s: it may have been removed',
  async (_why, open, gaps) => {
    await using page = start({ answer: () => undefined });
    page.outbox.send('hello');
    await until(() => page.states()[0] === 'hello waiting');
    page.answers(takes);
    page.connection.value = { state: 'connecting', attempt: 1 };
    page.connection.value = open;
    for (let count = 0; count < gaps; count += 1) page.gap();
    page.connection.value = CURRENT;
    await page.clock.advance(3100);
    expect(page.states()).toEqual(['hello failed']);
    const { key = '', delivery } = page.outbox.pending.value[0] ?? {};
    expect(delivery).toMatchObject({ mayHaveBeenSent: true, isRetryable: true });
    expect(page.posted).toHaveLength(1);
    page.outbox.retry(key);
    await until(() => page.posted.length === 2);
  },
);

test('the messages after one whose post broke off are sent after it', async () => {
  await using page = start({ answer: () => undefined });
  page.outbox.send('one');
  await until(() => page.states()[0] === 'one waiting');
  page.isReachable.value = false;
  page.outbox.send('two');
  page.answers(takes);
  page.reconnect();
  page.isReachable.value = true;
  await page.clock.advance(2900);
  expect(page.states()).toEqual(['one waiting', 'two sending']);
  expect(page.posted).toHaveLength(1);
  await page.clock.advance(200);
  await until(() => page.posted.length === 3);
  expect(page.posted.map(({ content }) => content)).toEqual(['one', 'one', 'two']);
});

test('[WC68][WC68a] the messages after one whose post broke off are sent after it, even if the gateway alone is away', async () => {
  await using page = start({ answer: () => undefined });
  page.connection.value = GATEWAY_AWAY;
  page.outbox.send('one');
  page.outbox.send('two');
  await until(() => page.states()[0] === 'one waiting');
  page.answers(takes);
  await page.clock.advance(9000);
  expect(page.posted).toHaveLength(1);
  page.connection.value = CURRENT;
  await page.clock.advance(3100);
  await until(() => page.posted.length === 3);
  expect(page.posted.map(({ content }) => content)).toEqual(['one', 'one', 'two']);
});

test('[WC68][WC68a] the messages after one whose post broke off do not wait for ever if the gateway stays away', async () => {
  await using page = start({ answer: () => undefined });
  page.connection.value = GATEWAY_AWAY;
  page.outbox.send('one');
  page.outbox.send('two');
  await until(() => page.states()[0] === 'one waiting');
  page.isReachable.value = false;
  await page.clock.advance(60_000);
  page.answers(takes);
  page.isReachable.value = true;
  await page.clock.advance(9900);
  expect(page.states()).toEqual(['one waiting', 'two sending']);
  await page.clock.advance(200);
  await until(() => page.posted.length === 2);
  expect(page.states()).toEqual(['one failed', 'two sending']);
  expect(page.outbox.pending.value[0]?.delivery).toMatchObject({ mayHaveBeenSent: true });
});

test('the messages after one whose post broke off are sent when that one comes back', async () => {
  await using page = start({ answer: () => undefined });
  page.outbox.send('one');
  await until(() => page.states()[0] === 'one waiting');
  page.answers(takes);
  page.outbox.send('two');
  page.outbox.settle(live({ author: 'ada', content: 'one' }));
  await until(() => page.posted.length === 2);
  expect(page.posted.map(({ content }) => content)).toEqual(['one', 'two']);
});

test('a message whose post broke off is not sent again if it comes back after all', async () => {
  await using page = start({ answer: () => undefined });
  page.outbox.send('hello');
  await until(() => page.states()[0] === 'hello waiting');
  page.reconnect();
  page.outbox.settle(live({ author: 'ada', content: 'hello' }));
  await page.clock.advance(10_000);
  expect(page.states()).toEqual([]);
  expect(page.posted).toHaveLength(1);
});

test('a message whose post broke off says that it may not have been sent if this cannot be known', async () => {
  await using page = start({ answer: () => undefined, version: '0.3.2' });
  page.outbox.send('hello');
  await until(() => page.states()[0] === 'hello waiting');
  page.reconnect();
  await page.clock.advance(3100);
  const { delivery } = page.outbox.pending.value[0] ?? {};
  expect(delivery).toMatchObject({ state: 'failed', isRetryable: true });
  expect(delivery?.state === 'failed' && delivery.error).toBeInstanceOf(NetworkError);
});

test('a message whose post alone broke off, on a connection that stayed, is not sent again and again', async () => {
  await using page = start({ answer: () => undefined });
  page.outbox.send('hello');
  await until(() => page.states()[0] === 'hello waiting');
  await page.clock.advance(3100);
  expect(page.states()).toEqual(['hello failed']);
});

test('a message without a nonce settles the oldest one of its author and content', async () => {
  await using page = start({ version: '0.3.2' });
  page.outbox.send('hello');
  page.outbox.send('hello');
  await until(() => page.posted.length === 2);
  expect(page.posted[0]).toEqual({ author: 'ada', content: 'hello' });
  page.outbox.settle(live({ author: 'eve', content: 'hello' }));
  page.outbox.settle(live({ author: 'ada', content: 'hello', nonce: 'of another page' }));
  expect(page.states()).toHaveLength(2);
  page.outbox.settle(live({ author: 'ada', content: 'hello' }));
  expect(page.states()).toHaveLength(1);
});

test('a message that was accepted but does not come back leaves the outbox after a while', async () => {
  await using page = start();
  page.outbox.send('hello');
  // Requests in progress would time out below.
  await until(() => page.answered() === 1);
  await settled();
  page.connection.value = { state: 'connecting', attempt: 1 };
  await page.clock.advance(60_000);
  expect(page.states()).toEqual(['hello sending']);
  page.connection.value = CURRENT;
  await page.clock.advance(3000);
  expect(page.states()).toEqual([]);
});

test('at most 200 messages are kept waiting; the next is not accepted', async () => {
  await using page = start();
  page.isReachable.value = false;
  const taken = Array.from({ length: 201 }, (_, index) => page.outbox.send(`${index}`));
  expect(taken.indexOf(false)).toBe(200);
});

test('after a reload, unsent messages are sent, and those that may have been sent ask first', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  await using before = start({ answer: () => promise });
  before.outbox.send('on its way');
  before.outbox.send('still here');
  await until(() => before.posted.length === 1);
  before.store.leave();
  await using after = start({ storages: before.storages });
  expect(after.states()).toEqual(['on its way failed', 'still here sending']);
  expect(after.outbox.pending.value[0]?.delivery).toEqual({
    state: 'failed',
    error: undefined,
    mayHaveBeenSent: true,
    isRetryable: true,
  });
  await until(() => after.posted.length === 1);
  expect(after.posted[0]?.content).toBe('still here');
  after.outbox.settle({ ...live({ author: 'ada', content: 'on its way' }), nonce: undefined });
  expect(after.states()).toEqual(['still here sending']);
  resolve(new Response());
});

test('a message that was refused is not taken for an equal one of the history', async () => {
  const failed = Response.json({ status: 404, message: 'Nobody is here' }, { status: 404 });
  await using page = start({ answer: () => failed.clone() });
  page.outbox.send('hello');
  await until(() => page.states()[0] === 'hello failed');
  page.outbox.settle(live({ author: 'ada', content: 'hello' }));
  expect(page.states()).toEqual(['hello failed']);
});

test('a clock that is set back does not make the limit longer', async () => {
  await using page = start({ answer: limited });
  page.outbox.send('first');
  page.outbox.send('second');
  await until(() => page.outbox.freeAtMs.value > page.clock.now());
  await settled();
  const waitMs = page.outbox.freeAtMs.value - page.clock.now();
  page.clock.set(page.clock.now() - 3_600_000);
  // The client below, which cannot know how much of it has passed, waits for it once more.
  await page.clock.advance(2 * waitMs);
  await until(() => page.posted.length === 2);
});

test('the messages of a page that crashed appear as soon as the page is known to have ended', async () => {
  await using crashed = start();
  crashed.isReachable.value = false;
  crashed.outbox.send('not gone yet');
  crashed.store[Symbol.dispose]();
  await using page = start({ storages: { ...crashed.storages, session: new MemoryStorage() } });
  page.outbox.send('its own');
  await page.clock.advance(179_000);
  expect(page.states().filter((state) => state.startsWith('not gone yet'))).toEqual([]);
  await page.clock.advance(2_000);
  expect(page.states().filter((state) => state.startsWith('not gone yet'))).toEqual([
    'not gone yet failed',
  ]);
  expect(page.outbox.pending.value[0]?.delivery).toMatchObject({
    error: undefined,
    mayHaveBeenSent: false,
  });
});

test('[WC178] a message waits until slow mode lets its author write again', async () => {
  await using page = start();
  const untilMs = page.clock.now() + 30_000;
  page.slowUntilMs.value = untilMs;
  expect(page.outbox.freeAtMs.value).toBe(untilMs);
  page.outbox.send('again');
  expect(page.outbox.pending.value[0]?.delivery).toEqual({ state: 'waiting', untilMs });
  await page.clock.advance(29_999);
  expect(page.posted).toEqual([]);
  await page.clock.advance(1);
  await until(() => page.posted.length === 1);
});
