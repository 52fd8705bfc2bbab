import { expect, test } from 'bun:test';
import { SocketServers } from './socket-servers.ts';

/** A server that records what is published, for those who follow these topics. */
function server(...topics: readonly string[]) {
  const published: string[] = [];
  return {
    published,
    publish: (topic: string, text: string) => void published.push(`${topic}: ${text}`),
    hasSubscribers: (topic: string) => topics.includes(topic),
  };
}

test('[OA6] an event goes once to each server that has followers, and to no other', () => {
  const [own, shared, empty] = [server('a', 'b'), server('a'), server()];
  const servers = new SocketServers();
  servers.publish('a', 'early');
  for (const each of [own, shared, empty]) servers.add(each);
  servers.publish('a', 'one');
  servers.publish('b', 'two');
  expect([own, shared, empty].map(({ published }) => published)).toEqual([
    ['a: one', 'b: two'],
    ['a: one'],
    [],
  ]);
  expect(['a', 'b', 'c'].map((topic) => servers.hasSubscribers(topic))).toEqual([
    true,
    true,
    false,
  ]);
});
