import { fakeClock } from '@hearth/testing/fake-clock';
import { settled } from '@hearth/testing/manual-clock';
import { presenceLink } from '@hearth/testing/ports/presence-link';
import { expect, test } from 'bun:test';
import { jsonLogger } from '../../../log/logger.ts';
import { redisPresence } from '../../../ports/presence/redis.ts';
import type { ConnectionSocket } from '../../../components/gateway/connection.ts';
import { newConnection } from '../../../components/gateway/connection.ts';
import type { Profile } from '../../../components/gateway/profile.ts';
import { OnlineNews } from './online-news.ts';

const log = jsonLogger('silent', () => {});

/** A socket that keeps what it is sent. */
function socketOf(asks: boolean) {
  const texts: string[] = [];
  const topics = new Set<string>();
  const plain: Profile = { version: 1, resume: undefined };
  const profile: Profile = asks ? { ...plain, online: true } : plain;
  const socket: ConnectionSocket = {
    data: newConnection({ client: 'a', accessCode: undefined, profile }, 0),
    send: (text) => texts.push(text),
    close: () => {},
    terminate: () => {},
    subscribe: (topic) => topics.add(topic),
    unsubscribe: (topic) => topics.delete(topic),
    cork: (run) => run(),
    getBufferedAmount: () => 0,
  };
  return { socket, texts, topics };
}

/** The news of a process whose connections a test sets, and those of the others in Redis. */
function news() {
  const clock = fakeClock();
  const numbers = { own: 0 };
  const { redis, reports, link } = presenceLink();
  const sockets: ReturnType<typeof socketOf>[] = [];
  const published: string[] = [];
  const online = new OnlineNews({
    clock,
    lobby: 'open',
    own: () => numbers.own,
    presence: redisPresence({ link, key: 'online', log }),
    servers: {
      publish(topic, text) {
        published.push(text);
        for (const { topics, texts } of sockets) if (topics.has(topic)) texts.push(text);
      },
      hasSubscribers: (topic) => sockets.some(({ topics }) => topics.has(topic)),
    },
  });
  const connect = (asks = true) => {
    const client = socketOf(asks);
    sockets.push(client);
    numbers.own += 1;
    online.enter(client.socket, undefined);
    return client;
  };
  /** Lets time pass as the gateway does, which ticks every half a second. */
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= 500) {
      clock.advance(500);
      online.tick();
      await settled();
    }
  };
  return { online, numbers, redis, reports, published, connect, pass };
}

const text = (count: number) => `{"op":"ONLINE","d":{"count":${count}}}`;

test('[ON1] a client that asks is sent the number when it connects, and others nothing', async () => {
  const { connect, pass } = news();
  const [one, other] = [connect(), connect(false)];
  await pass(1_000);
  expect(one.texts).toEqual([text(1), text(2)]);
  expect(other.texts).toEqual([]);
});

test('[ON2] the number is published once when it has changed, and at most every 5 s', async () => {
  const { numbers, published, connect, pass } = news();
  const { texts } = connect();
  await pass(60_000);
  expect(texts).toEqual([text(1)]);
  for (let index = 0; index < 20; index += 1) {
    numbers.own += 1;
    await pass(500);
  }
  await pass(10_000);
  expect(texts).toEqual([text(1), text(2), text(12), text(21)]);
  expect(published).toHaveLength(3);
});

test('[ON2] nothing is sent if the number is the same again', async () => {
  const { numbers, connect, pass } = news();
  const { texts } = connect();
  numbers.own += 1;
  await pass(500);
  for (const own of [3, 4, 2]) {
    numbers.own = own;
    await pass(1_000);
  }
  await pass(10_000);
  expect(texts).toEqual([text(1), text(2)]);
});

test('[ON2] a client that is being closed is sent nothing more', async () => {
  const { online, numbers, connect, pass } = news();
  const { socket, texts } = connect();
  online.leave(socket);
  numbers.own = 9;
  await pass(10_000);
  expect(texts).toEqual([text(1)]);
});

test('[ON3] the connections of other processes count, and stay counted while Redis is away', async () => {
  const { numbers, redis, reports, connect, pass } = news();
  const { texts } = connect();
  redis.others = 40;
  await pass(3_000);
  expect(texts).toEqual([text(1), text(41)]);
  redis.isAway = true;
  numbers.own = 2;
  await pass(6_000);
  expect(texts.at(-1)).toBe(text(42));
  expect(reports).toEqual([1, 1]);
  redis.isAway = false;
  redis.others = 0;
  await pass(6_000);
  expect(texts.at(-1)).toBe(text(2));
});

test('[ON2] a client that connects between two changes is sent the right number in the end', async () => {
  const { numbers, connect, pass } = news();
  const one = connect();
  numbers.own += 1;
  await pass(1_000);
  const late = connect();
  expect(late.texts).toEqual([text(3)]);
  numbers.own -= 1;
  await pass(60_000);
  expect(one.texts).toEqual([text(1), text(2), text(2)]);
  expect(late.texts).toEqual([text(3), text(2)]);
});
