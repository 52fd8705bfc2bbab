import { expect, test } from 'bun:test';
import { communityStream, formatId, type Id } from '@hearth/protocol';
import type { ConnectedClient } from '../../../gateway-host.ts';
import type { InstanceContext } from '../../../instance-context.ts';
import { Watchers } from './watchers.ts';
import { Watching } from './watching.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** An open client with what it is sent, which follows everything; the stream of a community may be held. */
function watch(given: object, held?: Id) {
  const ctx = {
    log: { debug: () => {} },
    signals: { listen: () => () => {} },
    users: { all: async () => new Map() },
    ...given,
  };
  const communities = new Watchers();
  const watching = new Watching({
    // Guarantee: it uses no more of it.
    ctx: ctx as unknown as InstanceContext,
    hub: {
      follows: () => true,
      isHeld: (_, stream) => held !== undefined && stream === communityStream(held),
    },
    visits: { begin: async () => true, end: () => {}, drop: () => {} },
    presences: { list: async () => new Map() },
    audiences: { isMember: () => true },
    watchers: { channels: new Watchers(), posts: new Watchers(), communities },
    signals: () => new Map(),
  });
  const sent: string[] = [];
  // Guarantee: as above.
  const socket = {
    send: (text: string) => sent.push(text),
    getBufferedAmount: () => 0,
    data: { status: { state: 'open' } },
  } as unknown as ConnectedClient;
  return { watching, communities, socket, sent };
}

test('[GC10] a WATCH is answered once the database is back', async () => {
  const id = formatId({ seconds: 1, instanceId: 1, sequence: 1 });
  let isAway = true;
  const ctx = {
    communities: {
      async all() {
        if (isAway) throw new Error('the database is away');
        return new Map();
      },
    },
  };
  const { watching, socket, sent } = watch(ctx);
  watching.watch(socket, id, { communities: [id] });
  await turn();
  watching.tick();
  await turn();
  expect(sent).toEqual([]);
  isAway = false;
  watching.tick();
  await turn();
  const [answer = ''] = sent;
  expect(JSON.parse(answer)).toMatchObject({ op: 'WATCHED', d: { communities: [{ id }] } });
  watching.tick();
  await turn();
  expect(sent).toHaveLength(1);
  watching.stop();
});

test('[GC10] channels and posts are watched without the database if it is remembered where they are', async () => {
  const idOf = (sequence: number) => formatId({ seconds: 1, instanceId: 1, sequence });
  const [community, channel, post] = [idOf(1), idOf(2), idOf(3)];
  const known = {
    channelById: new Map([[channel, { id: channel, stream: `g:${community}` }]]),
  };
  const ctx = {
    channelHomes: { peek: () => community, peekChannel: () => channel },
    communities: { peek: () => known, all: async () => new Map([[community, known]]) },
  };
  const { watching, socket, sent } = watch(ctx);
  watching.watch(socket, idOf(4), { channels: [channel], posts: [post] });
  await turn();
  expect(sent.map((text) => JSON.parse(text))).toMatchObject([
    { op: 'WATCHED', d: { channels: [channel], posts: [post] } },
  ]);
  watching.stop();
});

test('[GC20] a client whose stream of one community is held learns of a person through another, once', () => {
  const idOf = (sequence: number) => formatId({ seconds: 1, instanceId: 1, sequence });
  const [held, open, third, person] = [idOf(1), idOf(2), idOf(3), idOf(4)];
  const { watching, socket, sent, communities } = watch({}, held);
  communities.replace(socket, [], [held, open, third]);
  const user = { id: person, username: 'deleted', deleted: true };
  watching.sendAbout(person, [held, open, third], { op: 'USER_UPDATE', d: user });
  expect(sent.map((text) => JSON.parse(text).op)).toEqual(['USER_UPDATE']);
  watching.stop();
});
